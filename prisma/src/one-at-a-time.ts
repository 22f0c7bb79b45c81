import type { DatabaseOf } from './client.ts';

/** Any number, the same for all processes. */
const LOCK = 7_041;

/** What is done may be slow, and so may be the process that holds the lock. */
const PATIENCE_MS = 300_000;

/**
 * Does something in one process at a time, of all that share the database: two that start together must not
 * both write what a house starts with. The lock is held by a transaction of its own, and goes with its
 * connection if the process dies.
 */
export async function oneAtATime(
  db: Pick<DatabaseOf<never>, '$transaction'>,
  work: () => Promise<void>,
): Promise<void> {
  await db.$transaction(
    async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(${LOCK})`;
      await work();
    },
    // A connection is waited for as long as any statement waits for one, not for Prisma's two seconds.
    { timeout: PATIENCE_MS, maxWait: PATIENCE_MS },
  );
}
