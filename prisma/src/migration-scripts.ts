import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import type { Pool } from 'pg';

const LOCK_NOT_AVAILABLE = '55P03';

/** How long a migration waits for a table: whoever wants the table meanwhile waits behind it. */
const LOCK_WAIT = '2s';
/** In between, those who waited take their turn; all together some ten minutes. */
const waitingForTables = retry(
  handleWhen((error) => (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE),
  { maxAttempts: 200, backoff: new ConstantBackoff(1_000) },
);

/** A process may end between the commit and the engine's own record of it. */
const finished = `UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL`;

const indexAlone =
  /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (?<index>\w+) ON (?<schema>\w+)\.\w+\b[^;]*;?$/;

/**
 * Runs the script of a migration as one transaction, which also records that the migration is finished; or, when it builds an
 * index concurrently and does nothing else, as the statement that it is.
 */
export async function runMigration(pool: Pool, script: string): Promise<void> {
  const { index, schema } = concurrentIndexOf(script) ?? {};
  if (index && schema) {
    await dropInvalid(pool, schema, index);
    await pool.query(script);
  } else {
    await waitingForTables.execute(() =>
      pool.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}';\n${script}\n;${finished}`),
    );
  }
}

/** Returns the index that a migration builds concurrently; undefined for any other migration. */
export const concurrentIndexOf = (script: string) =>
  indexAlone.exec(script.replaceAll(/^\s*--.*$/gm, '').trim())?.groups;

/** An index whose building broke off stays, invalid, and would pass for the one that is wanted. */
async function dropInvalid(pool: Pool, schema: string, index: string): Promise<void> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relname = $1 AND c.relnamespace = to_regnamespace($2)`,
    [index, schema],
  );
  if (rowCount) await pool.query(`DROP INDEX CONCURRENTLY ${schema}.${index}`);
}
