import type { Services } from '../context.ts';

type Needs = Pick<Services, 'db' | 'store'>;

const BATCH = 100;
/** A store that answers slowly is waited for: while its objects are removed, nobody may release their keys. */
const PATIENT = { timeout: 600_000, maxWait: 30_000 };

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
    const from = after;
    const keys = await db.$transaction(async (tx) => {
      // Of two that remove the objects of one item, the second waits, and then finds no rows that were released.
      const rows = await tx.$queryRaw<{ key: string }[]>`
        SELECT key FROM media.stored_object WHERE media_id = ${mediaId} AND key > ${from}
        ORDER BY key LIMIT ${BATCH} FOR UPDATE`;
      const locked = rows.map(({ key }) => key);
      if (locked.length > 0) await store.removeAll(locked);
      if (release) await tx.storedObject.deleteMany({ where: { mediaId, key: { in: locked } } });
      return locked;
    }, PATIENT);
    after = keys.at(-1) ?? '';
    if (keys.length === 0) return;
  }
}
