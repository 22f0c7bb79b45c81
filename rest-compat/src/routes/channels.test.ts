import type { z } from 'zod';
import { expect, it } from 'vitest';

import { routes } from '../routes.ts';

it('PUT /channels/:id keeps missing fields unchanged', () => {
  const put = routes.find(({ method, url }) => `${String(method)} ${url}` === 'PUT /channels/:id');
  const input = put?.row?.input as z.ZodType;
  expect(input.parse({ params: { id: '1' }, query: {}, body: { name: 'Renamed' } })).toMatchObject({
    body: expect.toSatisfy((body: object) => Object.keys(body).join() === 'name'),
  });
});
