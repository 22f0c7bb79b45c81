import type { PrismaClient } from '@foyer/prisma/client';

/** Without what happens by itself meanwhile: mails, payments, uploads, nodes. */
const TABLES = `
  SELECT format('%I.%I', n.nspname, c.relname) AS name,
    EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id') AS owned
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname IN ('tenancy', 'ticketing', 'media')
    AND c.relname !~ '^(delivery|order_ticket_(info|log)|payment|idempotency|processing|upload$|streamer|cache_node|load_balancer|channel_origin)'
  ORDER BY 1`;

/** Reads everything that these organizations have, as one short text for each table. */
export async function openSnapshots(
  db: PrismaClient,
  organizationIds: readonly string[],
): Promise<() => Promise<unknown>> {
  const tables = await db.$queryRawUnsafe<{ name: string; owned: boolean }[]>(TABLES);
  if (tables.length < 25) throw new Error(`only ${tables.length} tables are looked at`);
  const ids = organizationIds.map((id) => `'${id}'`).join(', ');
  const parts = tables.map(({ name, owned }) => {
    const which = owned ? `WHERE organization_id::text IN (${ids})` : '';
    return `SELECT '${name}' AS name, md5(coalesce(string_agg(t::text, ' ' ORDER BY t::text), '')) AS rows FROM ${name} t ${which}`;
  });
  return () => db.$queryRawUnsafe(parts.join(' UNION ALL '));
}
