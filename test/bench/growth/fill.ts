import { demo } from '@foyer/shared/demo';
import type { Client } from 'pg';

import { identityRows } from './identity-rows.ts';
import { mediaRows } from './media-rows.ts';
import type { Rows } from './rows.ts';
import { ticketingRows } from './ticketing-rows.ts';

/**
 * What the statements share. Half of everything belongs to the organization of the demonstration, in five workspaces, of
 * which one has two thirds and one a twentieth of it; the rest to forty others, with one workspace each.
 */
const FUNCTIONS = `
  CREATE FUNCTION pg_temp.pick(n bigint, what text, of bigint) RETURNS bigint LANGUAGE sql STABLE
    RETURN abs(hashtextextended(what || n, 0) % of);
  CREATE FUNCTION pg_temp.id_of(what text, n bigint) RETURNS uuid LANGUAGE sql STABLE RETURN md5(what || n)::uuid;
  CREATE FUNCTION pg_temp.organization_of(n bigint) RETURNS uuid LANGUAGE sql STABLE
    RETURN CASE WHEN n % 2 = 0 THEN '${demo.acme.organizationId}'::uuid ELSE md5('organization' || n / 2 % 40)::uuid END;
  CREATE FUNCTION pg_temp.workspace_of(n bigint) RETURNS uuid LANGUAGE sql STABLE RETURN CASE
    WHEN n % 2 = 1 THEN md5('workspace' || n / 2 % 40)::uuid
    WHEN n / 2 % 20 < 13 THEN '${demo.acme.workspaceId}'::uuid
    WHEN n / 2 % 20 < 16 THEN '${demo.acme.studioWorkspaceId}'::uuid
    WHEN n / 2 % 20 < 18 THEN md5('workspace of acme 1')::uuid
    WHEN n / 2 % 20 < 19 THEN md5('workspace of acme 2')::uuid
    ELSE md5('workspace of acme 3')::uuid END;`;

/** Fills the tables up, from one size to the next. Triggers, which would notify of each row, do not run. */
export async function fill(db: Client, from: number, to: number): Promise<void> {
  if (from === 0) await db.query(FUNCTIONS);
  await db.query('SET session_replication_role = replica');
  for (const rows of [...identityRows, ...ticketingRows, ...mediaRows]) await add(db, rows, from, to);
  await db.query('SET session_replication_role = origin');
  await db.query('VACUUM (ANALYZE)');
}

/** Indexes are made again behind the rows, which takes a fraction of the time. */
async function add(db: Client, { table, insert, afterwards }: Rows, from: number, to: number): Promise<void> {
  const { rows: indexes } = await db.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
       WHERE i.indrelid = $1::regclass AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)`,
    [table],
  );
  await db.query('BEGIN');
  for (const { name } of indexes) await db.query(`DROP INDEX ${name}`);
  await db.query(insert, [from, to]);
  for (const { definition } of indexes) await db.query(definition);
  if (afterwards) await db.query(afterwards);
  await db.query('COMMIT');
}
