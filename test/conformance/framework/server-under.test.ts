import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { serverUnder } from './server-under.ts';

/** Refuses what its OpenAPI document does not name, as an earlier Foyer does. */
const earlier = createServer((request, response) => {
  const documents = {
    paths: { '/teams': { get: { responses: {} } } },
    components: { responses: { Error: { description: 'A refusal.' } } },
  };
  response.setHeader('content-type', 'application/json');
  response.statusCode = request.url === '/openapi.json' ? 200 : 404;
  response.end(JSON.stringify(request.url === '/openapi.json' ? documents : { code: 'TEAM_NOT_FOUND' }));
});
let url: string;
beforeAll(async () => {
  await once(earlier.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(earlier.address() as AddressInfo).port}`;
});
afterAll(() => void earlier.close());

const answerOf = (complete: boolean) =>
  serverUnder({ url, mode: 'documented', complete })
    .send('GET', '/teams')
    .then(({ status }) => status, String);

it('only servers of the run itself are held to their OpenAPI document: it is none of the three documents', async () => {
  expect(await answerOf(false)).toBe(404);
  expect(await answerOf(true)).toBe('Error: GET /teams is not as OpenAPI says: it may answer 404 TEAM_NOT_FOUND');
});
