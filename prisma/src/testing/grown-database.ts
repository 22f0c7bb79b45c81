import { createHash } from 'node:crypto';

import { Client } from 'pg';

import { openDatabase, type PrismaClient } from '../client.ts';
import { createTestDatabase } from './test-database.ts';

/** A node of a plan, as EXPLAIN shows it. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

interface Statement {
  sql: string;
  parameters: unknown[];
}

/** Calls a use case, and returns the SELECT statements that it sends. */
export async function selectsOf(url: string, run: (db: PrismaClient) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const db = openDatabase(url, {
    onQuery: (sql, parameters) => void statements.push({ sql, parameters: JSON.parse(parameters) as unknown[] }),
  });
  await run(db);
  await db.$disconnect();
  return statements.filter(({ sql }) => /^\s*SELECT/i.test(sql));
}

/** A node and all below it. */
export const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The expression of an id of the row `n`: of its own, or one of so many, `name0` and so on. */
export const idInRow = (name: string, of?: number): string => `md5('${name}' || n${of ? ` % ${of}` : ''})::uuid`;

/** The id that has such a name in {@link idInRow}. */
export const idOf = (name: string): string =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** As many rows as the planner needs to choose as it does for large tables; they lie in no order, so that none is free. */
const ROWS = 20_000;
const FIRST = 20;
/** A list may read so many rows for one that it shows: of others' workspaces, or of other states. */
const MOST_FOR_EACH = 10;

/** A list, called as the public API does. */
type List = (db: PrismaClient, page: { first: number; after?: string | null }) => Promise<unknown>;

/** A database with large tables. */
export interface GrownDatabase {
  /**
   * Reads the first page of a list and the next one, and returns how PostgreSQL did it: by which indexes of the large tables.
   * What grows with the tables is named, too: a table that was read as a whole, a sort of more than a page, too many rows.
   */
  planOf(list: List): Promise<string[]>;
  drop(): Promise<void>;
}

/**
 * Creates a test database, and fills tables of it.
 *
 * @param tables by their names with schema: the columns and expressions of the row `n`, which is from 1 to 20,000
 */
export async function createGrownDatabase(
  tables: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<GrownDatabase> {
  const { url, drop } = await createTestDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('SET session_replication_role = replica'); // neither triggers nor foreign keys
  for (const [table, columns] of Object.entries(tables)) {
    await client.query(`INSERT INTO ${table} (${Object.keys(columns).join(', ')})
      SELECT ${Object.values(columns).join(', ')} FROM generate_series(1, ${ROWS}) n ORDER BY md5(n::text)`);
    await client.query(`ANALYZE ${table}`);
  }
  const large = new Set(Object.keys(tables).map((table) => table.replace(/^.*\./, '')));

  async function explain({ sql, parameters }: Statement): Promise<string[]> {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
      parameters,
    );
    return rows.flatMap((row) => growthOf(row['QUERY PLAN'][0].Plan, large));
  }

  return {
    async planOf(list) {
      const found: string[] = [];
      let after: string | null | undefined;
      const read = async (reading: PrismaClient) => {
        const page = await list(reading, { first: FIRST, ...(after && { after }) });
        after = (page as { pageInfo?: { endCursor: string | null } }).pageInfo?.endCursor;
      };
      for (let page = 1; page <= 2; page += 1)
        for (const statement of await selectsOf(url, read)) found.push(...(await explain(statement)));
      return [...new Set(found)].toSorted();
    },
    async drop() {
      await client.end();
      await drop();
    },
  };
}

function growthOf(plan: PlanNode, large: ReadonlySet<string>): string[] {
  const isLarge = (node: PlanNode) => large.has(node['Relation Name'] ?? '');
  return nodesOf(plan).flatMap((node) => {
    if (node['Node Type'] === 'Sort' && nodesOf(node).some(isLarge)) {
      const [sorted] = node.Plans ?? [];
      return (sorted?.['Actual Rows'] ?? 0) > FIRST + 1 ? ['a sort'] : [];
    }
    if (!isLarge(node)) return [];
    const indexes = nodesOf(node).flatMap((each) => each['Index Name'] ?? []);
    const read =
      (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    return [
      ...indexes,
      ...(node['Node Type'] === 'Seq Scan' ? [`all of ${node['Relation Name']}`] : []),
      ...(read * (node['Actual Loops'] ?? 1) > (FIRST + 1) * MOST_FOR_EACH
        ? [`too many rows of ${node['Relation Name']}`]
        : []),
    ];
  });
}
