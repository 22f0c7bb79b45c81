import type { Services } from '../context.ts';

type Needs = Pick<Services, 'db' | 'store'>;

const BATCH = 100;
/** Waits for a slow store: nobody may release the keys of objects while they are being removed. */
const LONG = { timeout: 600_000, maxWait: 30_000 };

/**
 * Removes the recorded objects of a deleted media item from the store, and nothing else. Idempotent.
 *
 * @param release whether other items may then use the keys; not while something may still write to them
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
      // Of two concurrent removals, the second waits, and then does not find released rows.
      const rows = await tx.$queryRaw<{ key: string }[]>`
        SELECT key FROM media.stored_object WHERE media_id = ${mediaId} AND key > ${from}
        ORDER BY key LIMIT ${BATCH} FOR UPDATE`;
      const locked = rows.map(({ key }) => key);
      if (locked.length > 0) await store.removeAll(locked);
      if (release) await tx.storedObject.deleteMany({ where: { mediaId, key: { in: locked } } });
      return locked;
    }, LONG);
    after = keys.at(-1) ?? '';
    if (keys.length === 0) return;
  }
}
