import type { Services } from '../context.ts';
import { objectsUnder } from '../objects/objects-under.ts';
import { removeObjects } from '../objects/remove-objects.ts';
import type { Purge } from './purge.ts';

type Needs = Pick<Services, 'db' | 'store'>;

const BATCH = 500;

/** Takes the files of a deleted media item out of the store. May be done again: what others own is left alone. */
export async function purgeMedia(needs: Needs, purge: Purge): Promise<void> {
  if ('mediaId' in purge) return removeObjects(needs, purge);
  const { prefix, keys } = purge;
  const made = prefix === null ? [] : await objectsUnder(needs, prefix.slice(0, -1));
  const lost = [...new Set([...keys, ...made])];
  for (let from = 0; from < lost.length; from += BATCH) await removeUnowned(needs, lost.slice(from, from + BATCH));
}

/** A key that has become somebody else's is theirs. */
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
