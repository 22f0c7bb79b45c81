import { Prisma, type DatabaseOf } from './client.ts';

/** How many rows one statement deletes: it holds its locks, and a connection, for a moment only. */
const BATCH = 5_000;

/**
 * Deletes rows that nobody needs any more, however many there are. Those that somebody has locked are left to the next sweep:
 * waiting for them could be waiting for each other.
 *
 * @returns how many it has deleted
 */
export async function deleteInBatches(
  db: Pick<DatabaseOf<never>, '$executeRaw'>,
  { from, where, signal }: { from: string; where: Prisma.Sql; signal?: AbortSignal | undefined },
): Promise<number> {
  const table = Prisma.raw(from);
  for (let all = 0; ;) {
    signal?.throwIfAborted();
    const deleted = await db.$executeRaw`
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${where} LIMIT ${Prisma.raw(String(BATCH))} FOR UPDATE SKIP LOCKED))`;
    all += deleted;
    if (deleted < BATCH) return all;
  }
}
