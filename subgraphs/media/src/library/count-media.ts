import type { Context } from '../context.ts';
import type { MediaPage } from './media-page.ts';

/** Counts a list of media: a whole library by its counters, which triggers keep, and a part of it row by row. */
export async function countMedia({ db }: Pick<Context, 'db'>, { where, whole }: MediaPage): Promise<number> {
  if (!whole) return db.media.count({ where });
  const { _sum } = await db.mediaUsage.aggregate({ where: whole, _sum: { items: true } });
  return _sum.items ?? 0;
}
