import { selectsOf } from '@foyer/prisma/testing/grown-database';
import { systemClock } from '@foyer/shared/clock';
import { newId, type Id } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { OrderFilter } from '../generated/graphql.ts';
import { listOrders } from '../orders/list-orders.ts';
import { openCheckout } from '../testing/checkout.ts';
import { startScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.ts';
import { createTicketGroupOnSale, nextWeek } from '../testing/storefront-fixture.ts';

type Needs = Parameters<typeof listOrders>[0];

let scratch: ScratchDatabase;
let organizationId: Id;
let workspaceId: Id;
let staff: Needs;

beforeAll(async () => {
  scratch = await startScratchDatabase();
  const { db } = scratch;
  const { ticketGroupId, itemId } = await createTicketGroupOnSale(db, { dailyCapacity: 5_000 });
  const items = [{ itemId, quantityBought: 1 }];
  const buyer = { buyerName: 'Siti', buyerEmail: 'siti@example.my' };
  const { createOrder } = openCheckout({ db, clock: systemClock });
  const order = await createOrder({ ticketGroupId, admitDate: nextWeek(), items, ...buyer });
  ({ organizationId, workspaceId } = order);
  // Three thousand orders, of which every hundredth was reviewed, and two of every thousand are to be.
  await db.$executeRaw`
    INSERT INTO ticketing.order_ticket_group (
      ticket_group_id, organization_id, workspace_id, cust_id, lang_chosen, transaction_id, order_no, bill_id, product_id,
      total_amount_sen, quantity, buyer_name, buyer_email, admit_date, created_at, updated_at, review_reason, review_resolved_at
    )
    SELECT ticket_group_id, organization_id, workspace_id, cust_id, lang_chosen, gen_random_uuid(), 'ORD-' || n, 'BILL-' || n,
      product_id, total_amount_sen, quantity, buyer_name, buyer_email, admit_date, created_at - n * interval '1 minute', updated_at,
      CASE WHEN n % 1000 = 1 THEN 'REFUND_DUE' WHEN n % 1000 = 2 THEN 'AMOUNT_MISMATCH' WHEN n % 100 = 0 THEN 'DOUBLE_PAYMENT'
      END::ticketing.review_reason,
      CASE WHEN n % 100 = 0 THEN created_at END
    FROM ticketing.order_ticket_group, generate_series(1, 3000) n WHERE order_ticket_group_id = ${order.orderTicketGroupId}`;
  await db.$executeRaw`ANALYZE ticketing.order_ticket_group`;
  staff = staffOf(organizationId, workspaceId);
}, 60_000);
afterAll(() => scratch.stop());

const staffOf = (ofOrganization: Id, inWorkspace: Id): Needs => ({
  db: scratch.db,
  viewer: { kind: 'staff', organizationId: ofOrganization } as Viewer,
  permissions: {
    onPlatform: async () => new Set(),
    inOrganization: async () => new Set(),
    inWorkspace: async () => null,
    workspacesWith: async () => [inWorkspace],
  },
});

/** All orders of a filter, page by page. */
async function listed(who: Needs, filter: OrderFilter, first = 2): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | null = null; ;) {
    const { edges, pageInfo } = await listOrders(who, { filter, first, after });
    found.push(...edges.map(({ node }) => node.orderNo));
    if (!pageInfo.hasNextPage) return found;
    after = pageInfo.endCursor;
  }
}

const double = Array.from({ length: 30 }, (_, at) => `ORD-${(at + 1) * 100}`);

describe('the orders that staff must review', () => {
  it.each<[string, OrderFilter, string[]]>([
    ['money that is owed', { review: 'OPEN', reviewReason: 'REFUND_DUE' }, ['ORD-1', 'ORD-1001', 'ORD-2001']],
    ['another reason', { review: 'OPEN', reviewReason: 'AMOUNT_MISMATCH' }, ['ORD-2', 'ORD-1002', 'ORD-2002']],
    ['a reason of which all are decided', { review: 'OPEN', reviewReason: 'DOUBLE_PAYMENT' }, []],
    ['any reason', { review: 'OPEN' }, ['ORD-1', 'ORD-2', 'ORD-1001', 'ORD-1002', 'ORD-2001', 'ORD-2002']],
    ['what was decided', { review: 'RESOLVED' }, double],
    ['a reason, decided or not', { reviewReason: 'DOUBLE_PAYMENT' }, double],
  ])('are listed page by page, newest first: %s', async (_what, filter, orders) => {
    expect(await listed(staff, filter)).toEqual(orders);
  });

  it('are shown to nobody of another organization or workspace', async () => {
    expect(await listed(staffOf(newId(), workspaceId), { review: 'OPEN' })).toEqual([]);
    expect(await listed(staffOf(organizationId, newId()), { review: 'OPEN' })).toEqual([]);
  });

  it.each<[OrderFilter, string]>([
    [{ review: 'OPEN' }, 'order_ticket_group_review_open_idx'],
    [{ review: 'OPEN', reviewReason: 'REFUND_DUE' }, 'order_ticket_group_review_open_idx'],
    [{ reviewReason: 'DOUBLE_PAYMENT' }, 'order_ticket_group_review_idx'],
  ])('are found by an index, not among all orders: %j', async (filter, index) => {
    const queries = await selectsOf(scratch.url, (db) => listOrders({ ...staff, db }, { filter }));

    const [plan] = await scratch.db.$queryRawUnsafe<[{ 'QUERY PLAN': object }]>(
      `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${queries.at(-1)?.sql}`,
    );
    expect(JSON.stringify(plan)).toContain(`"Index Name":"${index}"`);
  });
});
