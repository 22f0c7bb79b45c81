import { createGrownDatabase, idInRow, idOf, type GrownDatabase } from '@foyer/prisma/testing/grown-database';
import { readId } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readerOf } from '../testing/reader.ts';
import { listMyOrders, listOrders, listOrganizationOrders } from './list-orders.ts';

type List = Parameters<GrownDatabase['planOf']>[0];

let database: GrownDatabase;

beforeAll(async () => {
  database = await createGrownDatabase({
    'ticketing.order_ticket_group': {
      order_ticket_group_id: 'n',
      ticket_group_id: '1',
      organization_id: idInRow('o', 20),
      workspace_id: idInRow('w', 40),
      cust_id: idInRow('c', 20),
      lang_chosen: `'bm'`,
      transaction_id: idInRow('t'),
      order_no: 'n',
      bill_id: 'n',
      product_id: `'TG1'`,
      transaction_status: `CASE n / 20 % 2 WHEN 0 THEN 'PENDING' ELSE 'FAILED' END::ticketing.transaction_status`,
      total_amount_sen: '5000',
      quantity: '1',
      buyer_name: `'Siti'`,
      buyer_email: `CASE n % 4000 WHEN 7 THEN 'mei@example.my' ELSE 'siti@example.my' END`,
      admit_date: `'2030-01-01'`,
      created_at: `now() - n * interval '1 minute'`,
      updated_at: 'now()',
    },
  });
}, 60_000);
afterAll(() => database.drop());

const customer = { kind: 'customer', custId: idOf('c7') } as Viewer;

it.each<[string, string[], List]>([
  [
    'a customer',
    ['order_ticket_group_cust_id_created_at_order_ticket_group_id_idx'],
    (db, page) => listMyOrders({ ...readerOf(db), viewer: customer }, page),
  ],
  [
    'a customer, with a status',
    ['order_ticket_group_cust_id_created_at_order_ticket_group_id_idx'],
    (db, page) => listMyOrders({ ...readerOf(db), viewer: customer }, { status: 'PENDING', ...page }),
  ],
  [
    'an organization',
    ['order_ticket_group_organization_id_created_at_order_ticket__idx'],
    (db, page) => listOrganizationOrders(readerOf(db), readId(idOf('o7')), page),
  ],
])('the orders of %s are read in the order of an index', async (_which, indexes, list) => {
  expect(await database.planOf(list)).toEqual(indexes);
});

it('an order is found by its number without looking at others', async () => {
  const query = 'ORD-20261121-E3DY3Q36H9HYZ';
  expect(await database.planOf((db, page) => listOrders(readerOf(db), { filter: { query }, ...page }))).toEqual([
    'order_ticket_group_order_no_key',
  ]);
});

it('the orders of an e-mail address are found by all of it, and not by its parts', async () => {
  const indexes = await database.planOf((db, page) =>
    listOrders(readerOf(db), { filter: { query: 'mei@example.my' }, ...page }),
  );
  expect(indexes).toContain('order_ticket_group_buyer_email_idx');
  expect(indexes).not.toContain('order_ticket_group_buyer_email_trgm_idx');
});
