import { setTimeout as sleep } from 'node:timers/promises';

import type { Pool } from 'pg';

/** The lock of Prisma's engine, which takes it again on the same connection. */
const LOCK = 72_707_369;
const ASK_MS = 250;

/**
 * Waits for the lock that prevents migrations at the same time, and keeps it while the only connection of the pool lives. It is
 * asked for again and again: a statement that waits would hold up the one that builds an index concurrently, and wait for it.
 */
export async function takeMigrationLock(pool: Pool): Promise<void> {
  const connection = await pool.connect();
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  connection.on('error', lost.reject);
  try {
    const isTaken = async () => {
      const { rows } = await connection.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK]);
      return rows[0]?.taken;
    };
    while (!(await Promise.race([isTaken(), lost.promise]))) await Promise.race([sleep(ASK_MS), lost.promise]);
  } finally {
    connection.off('error', lost.reject);
    connection.release();
  }
}

/**
 * Marks a migration that was interrupted as undone, so that it is applied again; the engine would refuse all others for good.
 * Its transaction ended with the connection of its process, and so did its lock, which the caller has now.
 */
export async function settleInterrupted(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ known: string | null }>(`SELECT to_regclass('_prisma_migrations') AS known`);
  if (!rows[0]?.known) return;
  await pool.query(
    `UPDATE _prisma_migrations SET logs = 'interrupted', rolled_back_at = now()
     WHERE finished_at IS NULL AND rolled_back_at IS NULL`,
  );
}

/**
 * Marks the migration that failed as undone, and returns its name: a script is one transaction of PostgreSQL. Nothing is marked
 * when the lock was lost with the connection, and another process has it: what is under way is a migration of that one.
 */
export async function settleFailed(pool: Pool, why: string): Promise<string | undefined> {
  const { rows: locks } = await pool.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK]);
  if (!locks[0]?.taken) return undefined;
  const { rows } = await pool.query<{ name: string }>(
    `UPDATE _prisma_migrations SET logs = $1, rolled_back_at = now()
     WHERE finished_at IS NULL AND rolled_back_at IS NULL RETURNING migration_name AS name`,
    [why],
  );
  return rows[0]?.name;
}
