import { createGrownDatabase, idInRow, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { pageManagedAdvertisingTickets } from './list-advertising-tickets.ts';

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'ticketing.advertising_ticket': {
      advertising_ticket_id: 'n',
      organization_id: idInRow('o', 20),
      workspace_id: idInRow('w', 40),
      advertisement_type: `'coupon'`,
      placement: 'n % 977',
      is_active: 'n / 20 % 10 > 0',
      updated_at: 'now()',
    },
  });
}, 60_000);
afterAll(() => database.drop());

// The storefront's list has no pages: it is at most 1,000 of them at once.
it.each([
  ['managed', true],
  ['managed and shown', false],
])('the advertising tickets that are %s are read in the order of an index', async (_which, all) => {
  const plan = await database.planOf((db, page) => pageManagedAdvertisingTickets(readerOf(db), { all, ...page }));
  expect(plan).toEqual(['advertising_ticket_organization_id_placement_advertising_ti_idx']);
});
