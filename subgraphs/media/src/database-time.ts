import type { MediaDatabase } from '@foyer/prisma/media';

/**
 * Returns the time of the database: the clocks of processes differ, so whatever one of them writes as a sign of life, and
 * another one compares, is from this one.
 */
export async function databaseTime(db: Pick<MediaDatabase, '$queryRaw'>): Promise<Date> {
  const [row] = await db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  return row.now;
}
