import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import type { Pool, PoolClient } from 'pg';

/** No lock in time, or a deadlock. */
const IN_THE_WAY = new Set<unknown>(['55P03', '40P01']);

/** How long a migration waits for a table: whoever wants the table meanwhile waits behind it. */
const LOCK_WAIT = '2s';
/** In between, those who waited take their turn; all together some ten minutes. */
const waitingForTables = retry(
  handleWhen((error) => IN_THE_WAY.has((error as { code?: unknown }).code)),
  { maxAttempts: 200, backoff: new ConstantBackoff(1_000) },
);

/**
 * A process may end between the commit and the engine's own record of it. One that has lost its connection, and with it the
 * lock, finds no record to finish when another process has taken over: then the script is undone, as that one runs it, too.
 */
const finished = `DO $$ BEGIN
  UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL;
  IF NOT FOUND THEN RAISE 'another process has taken over the migrations'; END IF;
END $$`;

const indexAlone =
  /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS (?<index>\w+) ON (?<schema>\w+)\.\w+\b[^;]*;?$/;

/**
 * Runs the script of a migration as one transaction, which also records that the migration is finished; or, when it builds an
 * index concurrently and does nothing else, as the statement that it is.
 */
export async function runMigration(pool: Pool, script: string): Promise<void> {
  const connection = await pool.connect();
  connection.on('error', ignore); // its statement reports it
  try {
    await run(connection, script);
  } finally {
    connection.off('error', ignore);
    // Kept though a statement failed, which a pool would end it for: it has the lock that prevents migrations at the same time.
    connection.release();
  }
}

const ignore = () => undefined;

async function run(connection: PoolClient, script: string): Promise<void> {
  const { index, schema } = concurrentIndexOf(script) ?? {};
  await waitingForTables.execute(async () => {
    if (index && schema) {
      // Whoever waits for the lock of migrations by a statement, as Prisma's own program does, and this one wait for each other.
      await dropInvalid(connection, schema, index);
      await connection.query(script);
    } else await connection.query(`SET LOCAL lock_timeout = '${LOCK_WAIT}';\n${script}\n;${finished}`);
  });
}

/** Returns the index that a migration builds concurrently; undefined for any other migration. */
export const concurrentIndexOf = (script: string) =>
  indexAlone.exec(script.replaceAll(/^\s*--.*$/gm, '').trim())?.groups;

/** An index whose building broke off stays, invalid, and would pass for the one that is wanted. */
async function dropInvalid(connection: PoolClient, schema: string, index: string): Promise<void> {
  const { rowCount } = await connection.query(
    `SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE NOT i.indisvalid AND c.relname = $1 AND c.relnamespace = to_regnamespace($2)`,
    [index, schema],
  );
  if (rowCount) await connection.query(`DROP INDEX CONCURRENTLY ${schema}.${index}`);
}
