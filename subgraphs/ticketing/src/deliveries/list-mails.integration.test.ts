import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listMails } from './list-mails.ts';

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'ticketing.order_ticket_group': {
      order_ticket_group_id: 'n',
      ticket_group_id: '1',
      organization_id: `CASE WHEN n % 2 = 0 THEN '${idOf('o7')}'::uuid ELSE ${idInRow('o', 20)} END`,
      workspace_id: `CASE WHEN n % 2 = 0 THEN '${idOf('w7')}'::uuid ELSE ${idInRow('w', 40)} END`,
      cust_id: idInRow('c', 20),
      lang_chosen: `'bm'`,
      transaction_id: idInRow('t'),
      order_no: 'n',
      bill_id: 'n',
      product_id: `'TG1'`,
      transaction_status: `CASE n / 2 % 2 WHEN 0 THEN 'PENDING' ELSE 'FAILED' END::ticketing.transaction_status`,
      total_amount_sen: '5000',
      quantity: '1',
      buyer_name: `'Siti'`,
      buyer_email: `'siti@example.my'`,
      admit_date: `'2030-01-01'`,
      created_at: `now() - n * interval '1 minute'`,
      updated_at: 'now()',
    },
    'ticketing.delivery': {
      delivery_id: 'n',
      order_ticket_group_id: 'n',
      kind: `'confirmation'`,
      recipient: `'siti@example.my'`,
      state: `CASE n / 20 % 2 WHEN 0 THEN 'SENT' ELSE 'DEAD' END::ticketing.delivery_state`,
      message_id: 'n',
      created_at: `now() - n * interval '1 minute'`,
    },
  });
}, 60_000);
afterAll(() => database.drop());

// Mails have no organization: PostgreSQL reads those of all in the order of the index, and leaves out the others'.
it('the mails of an organization with half of all orders are read in the order of an index', async () => {
  expect(await database.planOf((db, page) => listMails(readerOf(db), { state: 'DEAD', ...page }))).toEqual([
    'delivery_state_created_at_idx',
    'order_ticket_group_pkey',
  ]);
});
