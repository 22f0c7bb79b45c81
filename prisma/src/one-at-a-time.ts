import type { DatabaseOf } from './client.ts';

/** The key of the advisory lock: any number, the same for all processes. */
const LOCK = 7_041;

/** Generous: the work may be slow, and so may be that of the process that holds the lock. */
const MAX_WAIT_MS = 300_000;

/**
 * Runs work in one process at a time, of all that share the database: two that start together must not both write the seed
 * data. A transaction of its own holds the lock, which is released with the connection if the process dies.
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
    // Prisma would wait only two seconds for a connection.
    { timeout: MAX_WAIT_MS, maxWait: MAX_WAIT_MS },
  );
}
