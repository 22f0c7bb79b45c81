import type { Media } from '@foyer/prisma/client';

import type { Services } from '../context.ts';
import { ownPrefix } from '../storage/media-keys.ts';

type Needs = Pick<Services, 'db' | 'store'>;

/** Removes the ladder of a media item from the store, except the keys to keep. */
export async function removeLadder(
  { db, store }: Needs,
  media: Pick<Media, 'id' | 'storageKey'>,
  kept: ReadonlySet<string> = new Set(),
): Promise<void> {
  const prefix = ownPrefix(media);
  if (prefix === null) return;
  const recorded = await db.storedObject.findMany({
    where: { mediaId: media.id, OR: ['hls', 'smil'].map((part) => ({ key: { startsWith: `${prefix}/${part}/` } })) },
    select: { key: true },
  });
  const keys = recorded.map(({ key }) => key).filter((key) => !kept.has(key));
  await store.removeAll(keys);
  for (let from = 0; from < keys.length; from += BATCH)
    await db.storedObject.deleteMany({ where: { mediaId: media.id, key: { in: keys.slice(from, from + BATCH) } } });
}

const BATCH = 1000;
