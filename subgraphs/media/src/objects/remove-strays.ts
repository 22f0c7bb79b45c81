import type { MediaTransaction } from '@foyer/prisma/media';

import type { Services } from '../context.ts';
import { isPosterKey, ownPrefix, thumbnailKey } from '../storage/media-keys.ts';
import { LONG } from './claim-keys.ts';

type Needs = Pick<Services, 'db' | 'store'>;

const BATCH = 100;

/**
 * Removes the recorded objects of a media item that are not in its place: originals of a move that is done, copies of one
 * that is not. Idempotent.
 *
 * @param hold throws unless the caller holds the item, and locks its row: nobody may write to the keys meanwhile
 */
export async function removeStrays(
  { db, store }: Needs,
  id: number,
  hold: (tx: MediaTransaction) => Promise<unknown>,
): Promise<void> {
  let after = '';
  for (;;) {
    const from = after;
    const keys = await db.$transaction(async (tx) => {
      await hold(tx);
      const media = await tx.media.findUniqueOrThrow({ where: { id } });
      const prefix = ownPrefix(media);
      const { storageKey, normalizedKey, manifestKey, smilKey } = media;
      const named = [storageKey, media.thumbnailKey, thumbnailKey(media), normalizedKey, manifestKey, smilKey];
      const isPlaced = (key: string) =>
        named.includes(key) || isPosterKey(media, key) || (prefix !== null && key.startsWith(`${prefix}/`));

      const rows = await tx.storedObject.findMany({
        where: { mediaId: id, key: { gt: from } },
        orderBy: { key: 'asc' },
        take: BATCH,
      });
      const strays = rows.map(({ key }) => key).filter((key) => !isPlaced(key));
      if (strays.length > 0) await store.removeAll(strays);
      await tx.storedObject.deleteMany({ where: { mediaId: id, key: { in: strays } } });
      return rows;
    }, LONG);
    after = keys.at(-1)?.key ?? '';
    if (keys.length < BATCH) return;
  }
}
