import { vi } from 'vitest';

interface Database {
  $queryRawUnsafe<Result>(query: string): PromiseLike<Result>;
}

const WAITING = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

/**
 * Resolves once connections to this database wait for a lock.
 *
 * @param db not the transaction that holds the lock: it does not see connections from after its first look
 * @param connections how many
 * @param isOver whether they need not wait any more
 */
export const waitsForALock = (db: Database, connections = 1, isOver = () => false): Promise<void> =>
  vi.waitFor(
    async () => {
      const waiting = await db.$queryRawUnsafe<unknown[]>(WAITING);
      if (!isOver() && waiting.length < connections) throw new Error('too few connections wait for a lock');
    },
    { timeout: 30_000 },
  );
