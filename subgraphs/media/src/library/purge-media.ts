import type { Services } from '../context.ts';
import { objectsUnder } from '../objects/objects-under.ts';
import { removeObjects } from '../objects/remove-objects.ts';
import type { Purge } from './purge.ts';

type Needs = Pick<Services, 'db' | 'store'>;

const BATCH = 500;

/** Removes the files of a deleted media item from the store, and none that others own. Idempotent. */
export async function purgeMedia(needs: Needs, purge: Purge): Promise<void> {
  if ('mediaId' in purge) return removeObjects(needs, purge);
  const { prefix, keys } = purge;
  const made = prefix === null ? [] : await objectsUnder(needs, prefix.slice(0, -1));
  const all = [...new Set([...keys, ...made])];
  for (let from = 0; from < all.length; from += BATCH) await removeUnowned(needs, all.slice(from, from + BATCH));
}

/** Removes objects, except under keys that have become another item's. */
async function removeUnowned({ db, store }: Needs, keys: string[]): Promise<void> {
  const recorded = await db.storedObject.findMany({ where: { key: { in: keys } } });
  const owners = await db.media.findMany({
    where: { OR: [{ storageKey: { in: keys } }, { thumbnailKey: { in: keys } }] },
    select: { storageKey: true, thumbnailKey: true },
  });
  const owned = new Set([
    ...recorded.map(({ key }) => key),
    ...owners.flatMap(({ storageKey, thumbnailKey }) => [storageKey, thumbnailKey]),
  ]);
  await store.removeAll(keys.filter((key) => !owned.has(key)));
}
