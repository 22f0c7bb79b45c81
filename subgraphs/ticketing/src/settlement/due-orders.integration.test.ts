import { createGrownDatabase, idInRow, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { systemClock } from '@foyer/shared/clock';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { findDue } from './expire-orders.ts';

let database: GrownDatabase;

/** Twenty orders have expired unpaid, as many may still be paid, and all others have ended. */
const stateOf = (n: string) => `CASE ${n} % 500 WHEN 0 THEN 'INITIATED' WHEN 1 THEN 'PENDING' ELSE 'FAILED' END`;

beforeAll(async () => {
  database = await createGrownDatabase({
    'ticketing.order_ticket_group': {
      order_ticket_group_id: 'n',
      ticket_group_id: '1',
      organization_id: idInRow('o', 5_000),
      workspace_id: idInRow('w', 40),
      cust_id: idInRow('c', 20),
      lang_chosen: `'bm'`,
      transaction_id: idInRow('t'),
      order_no: 'n',
      bill_id: 'n',
      product_id: `'TG1'`,
      transaction_status: `(${stateOf('n')})::ticketing.transaction_status`,
      total_amount_sen: '5000',
      quantity: '1',
      buyer_name: `'Siti'`,
      buyer_email: `'siti@example.my'`,
      admit_date: `'2030-01-01'`,
      hold_expires_at: `now() + CASE n / 500 % 2 WHEN 0 THEN -1 ELSE 1 END * interval '1 hour'`,
      created_at: `now() - n * interval '1 minute'`,
      updated_at: 'now()',
    },
  });
}, 60_000);
afterAll(() => database.drop());

it.each(['INITIATED', 'PENDING'] as const)(
  '%s orders that have expired are found by an index, not among all',
  async (status) => {
    const due: bigint[] = [];
    const plan = await database.planOf(async (db) => {
      const orders = await findDue({ db, clock: systemClock }, status);
      due.push(...orders.map(({ orderTicketGroupId }) => orderTicketGroupId));
      return {};
    });

    expect(plan).toEqual(['order_ticket_group_expiring_idx', 'order_ticket_group_pkey']);
    expect(new Set(due).size).toBe(20);
  },
);
