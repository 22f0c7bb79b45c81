import type { Media } from '@foyer/prisma/client';

import type { Services } from '../context.ts';
import { ownPrefix } from '../storage/media-keys.ts';

type Needs = Pick<Services, 'db' | 'store'>;

/** Removes the ladder of a media item from the store, except the keys to keep; without any, it can't be played early either. */
export async function removeLadder(
  { db, store }: Needs,
  media: Pick<Media, 'id' | 'storageKey'>,
  kept: ReadonlySet<string> = new Set(),
): Promise<void> {
  const prefix = ownPrefix(media);
  if (prefix === null) return;
  if (kept.size === 0) await db.media.updateMany({ where: { id: media.id }, data: { earlyPlaylistKey: null } });
  const recorded = await db.storedObject.findMany({
    where: { mediaId: media.id, OR: ['hls', 'smil'].map((part) => ({ key: { startsWith: `${prefix}/${part}/` } })) },
    select: { key: true },
  });
  const keys = recorded.map(({ key }) => key).filter((key) => !kept.has(key));
  await removeKeys({ db, store }, media.id, keys);
}

/** Removes objects of a media item from the store, and their records. */
export async function removeKeys({ db, store }: Needs, mediaId: number, keys: readonly string[]): Promise<void> {
  await store.removeAll(keys);
  for (let from = 0; from < keys.length; from += BATCH)
    await db.storedObject.deleteMany({ where: { mediaId, key: { in: keys.slice(from, from + BATCH) } } });
}

const BATCH = 1000;
