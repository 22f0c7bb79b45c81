import { vi } from 'vitest';

interface Database {
  $queryRawUnsafe<Result>(query: string): PromiseLike<Result>;
}

const WAITING = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

/**
 * Resolves once a connection to this database waits for a lock.
 *
 * @param db not the transaction that holds the lock: it does not see connections from after its first look
 */
export const waitsForALock = (db: Database): Promise<void> =>
  vi.waitFor(
    async () => {
      if ((await db.$queryRawUnsafe<unknown[]>(WAITING)).length === 0)
        throw new Error('no connection waits for a lock');
    },
    { timeout: 30_000 },
  );
