import type { House } from '../context.ts';
import type { Purge } from './purge.ts';

type Needs = Pick<House, 'db' | 'store'>;

const BATCH = 500;

/** Takes the files of a deleted media item out of the store. May be done again: what others own is left alone. */
export async function purgeMedia(needs: Needs, { prefix, keys }: Purge): Promise<void> {
  const { db, store } = needs;
  if (prefix) {
    const neighbours = await db.media.count({ where: { storageKey: { startsWith: prefix } } });
    if (neighbours === 0) await store.removePrefix(prefix);
    else await removeUnowned(needs, store.list(prefix)); // somebody named a folder like our number
  }
  await removeUnowned(needs, keys);
}

async function removeUnowned(needs: Needs, keys: AsyncIterable<{ key: string }> | readonly string[]): Promise<void> {
  let batch: string[] = [];
  for await (const item of keys) {
    batch.push(typeof item === 'string' ? item : item.key);
    if (batch.length < BATCH) continue;
    await removeBatch(needs, batch);
    batch = [];
  }
  await removeBatch(needs, batch);
}

/** A key that has become somebody else's is theirs. */
async function removeBatch({ db, store }: Needs, keys: readonly string[]): Promise<void> {
  const owners = await db.media.findMany({
    where: { OR: [{ storageKey: { in: [...keys] } }, { thumbnailKey: { in: [...keys] } }] },
    select: { storageKey: true, thumbnailKey: true },
  });
  const owned = new Set(owners.flatMap(({ storageKey, thumbnailKey }) => [storageKey, thumbnailKey]));
  for (const key of keys) if (!owned.has(key)) await store.remove(key);
}
