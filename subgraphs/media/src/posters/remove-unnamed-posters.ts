import type { Services } from '../context.ts';
import { isPosterKey } from '../storage/media-keys.ts';

type Needs = Pick<Services, 'db' | 'store'>;

/**
 * Removes the chosen previews of a media item that its row does not name: earlier ones, and those that came too late.
 * Idempotent.
 *
 * @param key one that may have been written, although it is not recorded any more
 */
export async function removeUnnamedPosters(
  { db, store }: Needs,
  { mediaId, key }: { mediaId: number; key: string | null },
): Promise<void> {
  // In this order: a key is named before it is recorded, so that none of a later choice is taken for a leftover.
  const recorded = await db.storedObject.findMany({ where: { mediaId, key: { contains: '/.posters/' } } });
  const media = await db.media.findUnique({ where: { id: mediaId } });
  const written = media ? recorded.map((object) => object.key).filter((each) => isPosterKey(media, each)) : [];
  const keys = [...new Set([...written, ...(key ? [key] : [])])].filter(
    (each) => each !== media?.posterKey && each !== media?.posterRequest,
  );
  await store.removeAll(keys);
  await db.storedObject.deleteMany({ where: { mediaId, key: { in: keys } } });
}
