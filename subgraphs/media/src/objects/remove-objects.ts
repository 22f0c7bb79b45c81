import type { House } from '../context.ts';

type Needs = Pick<House, 'db' | 'store'>;

const BATCH = 1000;

/**
 * Takes the objects of a deleted media item out of the store: what was written down as its own, and nothing else. May be
 * done again.
 *
 * @param release whether others may have the keys from then on; not while something may still write to them
 */
export async function removeObjects(
  { db, store }: Needs,
  { mediaId, release }: { mediaId: number; release: boolean },
): Promise<void> {
  if ((await db.media.count({ where: { id: mediaId } })) > 0) return;
  let after = '';
  for (;;) {
    const rows = await db.storedObject.findMany({
      where: { mediaId, key: { gt: after } },
      orderBy: { key: 'asc' },
      take: BATCH,
    });
    const keys = rows.map(({ key }) => key);
    after = keys.at(-1) ?? '';
    if (keys.length === 0) return;
    await store.removeAll(keys);
    if (release) await db.storedObject.deleteMany({ where: { mediaId, key: { in: keys } } });
  }
}
