import type { PrismaClient } from '@foyer/prisma/client';

/** A row of a table, by an SQL condition. */
export type Row = readonly [table: string, condition: string];

/** Whether all of these rows are there: one query for all, because it runs again and again and mostly finds nothing to do. */
export async function areThere(db: PrismaClient, rows: readonly Row[]): Promise<boolean> {
  const conditions = rows.map(([table, condition]) => `EXISTS (SELECT 1 FROM ${table} WHERE ${condition})`);
  const [row] = await db.$queryRawUnsafe<{ there: boolean }[]>(`SELECT ${conditions.join(' AND ')} AS there`);
  return row?.there ?? false;
}
