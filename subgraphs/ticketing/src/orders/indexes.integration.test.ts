import { Prisma } from '@foyer/prisma/client';
import { nodesOf, selectsOf, type PlanNode } from '@foyer/prisma/testing/grown-database';
import { newId } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { OrderFilter } from '../generated/graphql.ts';
import { startScratchDatabase, type ScratchDatabase } from '../testing/scratch-database.ts';
import { createGuest, createTicketGroupOnSale } from '../testing/storefront-fixture.ts';
import { listOrders } from './list-orders.ts';

type Needs = Parameters<typeof listOrders>[0];

const organizationId = newId();
const [main, studio] = [newId(), newId()];

let scratch: ScratchDatabase;
let ticketGroupId: string;

beforeAll(async () => {
  scratch = await startScratchDatabase();
  const { db } = scratch;
  const custId = await createGuest(db);
  const [few, many] = [
    await createTicketGroupOnSale(db, { dailyCapacity: 10 }),
    await createTicketGroupOnSale(db, { dailyCapacity: 10 }),
  ];
  ({ ticketGroupId } = few);
  // Three thousand orders: every fifth is of the organization, in two workspaces; every fiftieth is pending.
  await db.$executeRaw`
    INSERT INTO ticketing.order_ticket_group (
      ticket_group_id, organization_id, workspace_id, cust_id, lang_chosen, transaction_id, order_no, bill_id, product_id,
      transaction_status, total_amount_sen, quantity, buyer_name, buyer_email, admit_date, created_at, updated_at
    )
    SELECT CASE n % 35 WHEN 0 THEN ${few.ticketGroupId}::bigint ELSE ${many.ticketGroupId}::bigint END,
      CASE n % 5 WHEN 0 THEN ${organizationId}::uuid ELSE md5((n % 5)::text)::uuid END,
      CASE WHEN n % 5 > 0 THEN md5((n % 5)::text)::uuid WHEN n % 3 = 0 THEN ${main}::uuid ELSE ${studio}::uuid END,
      ${custId}::uuid, 'bm', gen_random_uuid(), 'ORD-' || n, 'BILL-' || n, 'TG1',
      CASE n % 50 WHEN 0 THEN 'PENDING' ELSE 'FAILED' END::ticketing.transaction_status,
      5000, 1, 'Siti', CASE n WHEN 5 THEN 'Mei@' WHEN 10 THEN 'romei@' WHEN 15 THEN 'banjo@' WHEN 16 THEN 'jo@' WHEN 20 THEN 'not_siti@' WHEN 25 THEN 'Siti@' ELSE 'siti@' END || 'example.my', '2030-01-01', now() - n * interval '1 minute', now()
    FROM generate_series(1, 3000) n`;
  await db.$executeRaw`ANALYZE ticketing.order_ticket_group`;
}, 120_000);
afterAll(() => scratch.stop());

const seeing = (...workspaces: string[]): Omit<Needs, 'db'> => ({
  viewer: { kind: 'staff', organizationId } as Viewer,
  permissions: {
    onPlatform: async () => new Set(workspaces.length === 0 ? ['org:manage'] : []),
    inOrganization: async () => new Set(),
    inWorkspace: async () => null,
    workspacesWith: async () => workspaces as never,
  },
});

/** The indexes in the order of lists of orders. */
const prefix = 'order_ticket_group_';
const indexes = [
  'created_at_order_ticket_group_id_idx',
  'organization_id_created_at_order_ticket__idx',
  'organization_id_workspace_id_created_at__idx',
  'organization_id_transaction_status_creat_idx',
  'ticket_group_id_created_at_order_ticket__idx',
].map((name) => `${prefix}${name}`);

/** How PostgreSQL reads a page when there is only one of these indexes: which of several it prefers depends on the rows. */
async function planOf(
  who: Omit<Needs, 'db'>,
  page: Parameters<typeof listOrders>[1],
  index: string,
): Promise<PlanNode[]> {
  const statements = await selectsOf(scratch.url, (db) => listOrders({ ...who, db }, page));
  const { sql = '', parameters = [] } = statements.at(-1) ?? {};
  const plans: PlanNode[] = [];
  const undo = new Error('undone');
  const explaining = scratch.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SET LOCAL enable_sort = off`;
      await tx.$executeRaw`SET LOCAL enable_seqscan = off`;
      for (const name of indexes) if (name !== index) await tx.$executeRaw(Prisma.raw(`DROP INDEX ticketing.${name}`));
      const explain = `EXPLAIN (FORMAT JSON) ${sql}`;
      const rows = await tx.$queryRawUnsafe<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(explain, ...parameters);
      plans.push(...rows.flatMap((row) => nodesOf(row['QUERY PLAN'][0].Plan)));
      throw undo;
    },
    { maxWait: 60_000, timeout: 60_000 },
  );
  await expect(explaining).rejects.toBe(undo);
  return plans;
}

describe('among many orders', { timeout: 120_000 }, () => {
  it.each<[string, () => [Omit<Needs, 'db'>, OrderFilter], string]>([
    [
      'those of several workspaces',
      () => [seeing(main, studio), {}],
      'order_ticket_group_organization_id_created_at_order_ticket__idx',
    ],
    [
      'those of one workspace',
      () => [seeing(main), {}],
      'order_ticket_group_organization_id_workspace_id_created_at__idx',
    ],
    ['those of all organizations', () => [seeing(), {}], 'order_ticket_group_created_at_order_ticket_group_id_idx'],
    [
      'those with a status',
      () => [seeing(main, studio), { status: 'PENDING' }],
      'order_ticket_group_organization_id_transaction_status_creat_idx',
    ],
    [
      'those of a ticket group',
      () => [seeing(), { ticketGroupId }],
      'order_ticket_group_ticket_group_id_created_at_order_ticket__idx',
    ],
  ])('%s are read in the order of an index, which begins at the cursor', async (_which, asked, index) => {
    const [who, filter] = asked();
    const first = await planOf(who, { filter, first: 5 }, index);
    expect(first.map((node) => node['Index Name']).filter(Boolean)).toEqual([index]);

    const { pageInfo } = await listOrders({ ...who, db: scratch.db }, { filter, first: 5 });
    const next = await planOf(who, { filter, first: 5, after: pageInfo.endCursor }, index);
    expect(next.map((node) => node['Index Name']).filter(Boolean)).toEqual([index]);
    expect(next.map((node) => node['Index Cond']).join(' ')).toContain('created_at <=');
    expect(next.map((node) => node['Node Type'])).not.toContain('Sort');
  });

  it('a search for one is the same to PostgreSQL as one for a page, so that it uses the index of the text, too', async () => {
    const search = (first: number) =>
      selectsOf(scratch.url, (db) => listOrders({ ...seeing(main), db }, { filter: { query: 'nobody' }, first }));
    expect(await search(1)).toEqual(await search(20));
  });

  it.each([
    [' mei@EXAMPLE.my', ['ORD-5']],
    ['mei@example', ['ORD-5', 'ORD-10']],
    ['jo@example.my', ['ORD-15']], // another organization's order has the address
  ])('the search for %j finds %j', async (query, numbers) => {
    const { edges } = await listOrders({ ...seeing(main, studio), db: scratch.db }, { filter: { query } });
    expect(edges.map(({ node }) => node.orderNo)).toEqual(numbers);
  });

  it('an address finds all its orders and no others, however many they are', async () => {
    const { where } = await listOrders(
      { ...seeing(main, studio), db: scratch.db },
      { filter: { query: 'siti@example.my' } },
    );
    expect(await scratch.db.orderTicketGroup.count({ where })).toBe(596);
  });

  it('pages follow each other without a gap among orders of one moment', async () => {
    await scratch.db
      .$executeRaw`UPDATE ticketing.order_ticket_group SET created_at = '2029-01-01' WHERE order_no IN ('ORD-5', 'ORD-10', 'ORD-15', 'ORD-20')`;
    const who = { ...seeing(main, studio), db: scratch.db };
    const found: string[] = [];
    for (let after: string | null = null; found.length < 6;) {
      const { edges, pageInfo } = await listOrders(who, { first: 1, after });
      found.push(...edges.map(({ node }) => node.orderNo));
      after = pageInfo.endCursor;
    }
    expect(found).toEqual(['ORD-20', 'ORD-15', 'ORD-10', 'ORD-5', 'ORD-25', 'ORD-30']);
  });
});
