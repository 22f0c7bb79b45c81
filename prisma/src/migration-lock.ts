import { setTimeout as sleep } from 'node:timers/promises';

import type { Pool } from 'pg';

/** The lock of Prisma's engine, which takes it again on the same connection. */
const LOCK = 72_707_369;
const ASK_MS = 250;
/** How long it is waited for without a word, and how often the word is repeated. */
const QUIET_MS = 5_000;
const REMIND_MS = 60_000;

/** The session of PostgreSQL that has the lock. */
export interface LockHolder {
  pid: number;
  application: string;
  /** Null for a local one. This and the rest is also null where the user of the database may not see it. */
  address: string | null;
  state: string | null;
  /** When it connected. */
  since: Date | null;
}

const HOLDER = `
  SELECT pid, application_name AS application, host(client_addr) AS address, state, backend_start AS since
  FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND granted AND (classid, objid, objsubid) = (0, $1, 1)
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Waits for the lock that prevents migrations at the same time, and keeps it while the only connection of the pool lives. It is
 * asked for again and again: a statement that waits would hold up the one that builds an index concurrently, and wait for it.
 *
 * @param report called with who has the lock, after some seconds and each minute
 */
export async function takeMigrationLock(pool: Pool, report: (holder: LockHolder) => void): Promise<void> {
  const connection = await pool.connect();
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  connection.on('error', lost.reject);
  try {
    const isTaken = async () => {
      const { rows } = await connection.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK]);
      return rows[0]?.taken;
    };
    let quietUntil = performance.now() + QUIET_MS;
    while (!(await Promise.race([isTaken(), lost.promise]))) {
      if (performance.now() >= quietUntil) {
        quietUntil = performance.now() + REMIND_MS;
        const { rows } = await Promise.race([connection.query<LockHolder>(HOLDER, [LOCK]), lost.promise]);
        rows.forEach(report);
      }
      await Promise.race([sleep(ASK_MS), lost.promise]);
    }
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
