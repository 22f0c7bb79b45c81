import type { PrismaClient } from '@foyer/prisma/client';

/** The tables to compare; not those that jobs change meanwhile: mails, payments, uploads, kept and moved files, nodes. */
const TABLES = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name,
    EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id') AS owned
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname IN ('tenancy', 'ticketing', 'media')
    AND c.relname !~ '^(delivery|order_ticket_(info|log)|payment|idempotency|processing|upload$|streamer|cache_node|load_balancer|channel_origin)'
  ORDER BY 1`;

/**
 * When the test of another file signs a customer up, every organization that sells something is notified; jobs notify in
 * their own time, and in the name of the system.
 */
const BUT_THESE: Readonly<Record<string, string>> = {
  'ticketing.notification': `NOT (repeats_platform AND title = 'New customer') AND authority_level <> 'system'`,
};

/** A short text for the rows of each table, by its name. */
export type Snapshot = Record<string, string>;

/** A pattern for these ids, which does not match a part of a longer one. */
const naming = (ids: readonly string[]): string => String.raw`~ '\m(${ids.join('|')})\M'`;

/**
 * Reads all rows of these organizations.
 *
 * @param ids of what belongs to them: a row of a table without organizations is theirs if it names one
 */
export async function openSnapshots(
  db: PrismaClient,
  organizationIds: readonly string[],
  ids: readonly string[],
): Promise<() => Promise<Snapshot>> {
  const tables = await db.$queryRawUnsafe<{ name: string; owned: boolean }[]>(TABLES);
  if (tables.length < 25) throw new Error(`only ${tables.length} tables are looked at`);
  const organizations = organizationIds.map((id) => `'${id}'`).join(', ');
  const parts = tables.map(({ name, owned }) => {
    const which = owned
      ? `WHERE organization_id::text IN (${organizations}) AND ${BUT_THESE[name] ?? 'true'}`
      : `WHERE t::text ${naming([...organizationIds, ...ids])}`;
    return `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, ' ' ORDER BY t::text), '')) AS rows FROM ${name} t ${which}`;
  });
  return async () => {
    const read = await db.$queryRawUnsafe<{ name: string; rows: string }[]>(parts.join(' UNION ALL '));
    return Object.fromEntries(read.map(({ name, rows }) => [name, rows]));
  };
}

/** The tables whose rows differ. */
export const changedTables = (before: Snapshot, after: Snapshot): string[] =>
  Object.keys(after).filter((name) => before[name] !== after[name]);

/** Jobs that are due or running and name one of these ids: jobs that earlier calls have enqueued may still be on their way. */
export async function dueJobs(db: PrismaClient, ids: readonly string[]): Promise<number> {
  const [row] = await db.$queryRawUnsafe<{ due: number }[]>(`SELECT count(*)::int AS due FROM pgboss.job
    WHERE state IN ('created', 'retry', 'active') AND start_after <= now() AND data::text ${naming(ids)}`);
  return row?.due ?? 0;
}
