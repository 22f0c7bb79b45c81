import { expect, it } from 'vitest';

import { named, reads, sentFields } from '../testing/sent-fields.ts';

it.each([null, '', ' '])('PUT /api/advertisingTickets keeps the color of a card when it is sent as %j', (color) => {
  const field = sentFields.find((each) => named(each) === 'PUT /api/advertisingTickets: body.color');
  if (!field) throw new Error('the route has no such field');

  expect(reads(field, color)).toEqual(reads(field, undefined));
});
