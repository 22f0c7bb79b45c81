import type { Media } from '@foyer/prisma/client';

import { ObjectMissing } from '#ports/object-store.ts';
import type { Services } from '../context.ts';
import { ownPrefix, presentFlatKey, presentPrefix, thumbnailKey } from '../storage/media-keys.ts';
import { claimKeys, LONG } from './claim-keys.ts';
import { recordObjects } from './record-objects.ts';

type Needs = Pick<Services, 'db' | 'store'>;

const atRest: Media['transcodingStage'][] = ['done', 'failed'];

/**
 * Migrates a media item from before decision 48 to the present layout: records its objects, and gives new keys to those
 * whose keys could be read as another item's. It copies first, then updates the row, then removes the originals: it may
 * be killed anywhere and run again, and the item stays readable.
 *
 * @returns false when the item is being processed and must be migrated later
 */
export async function renewKeys(needs: Needs, id: number): Promise<boolean> {
  const { db } = needs;
  const media = await db.media.findUnique({ where: { id } });
  if (!media) return true;
  if (!atRest.includes(media.transcodingStage)) return false;
  await recordObjects(needs, media);
  if (!(await moveToPresentKeys(needs, media))) return false;
  await removeMoved(needs, id);
  await db.media.updateMany({ where: { id }, data: { objectsRecorded: true } });
  return true;
}

async function moveToPresentKeys({ db, store }: Needs, media: Media): Promise<boolean> {
  const moves = presentKeys(media, await recordedOf(db, media.id));
  if (moves.size === 0) return true;
  const isClaimed = await db.$transaction(async (tx) => {
    const rows = await tx.$queryRaw<object[]>`
      SELECT 1 FROM media.media WHERE id = ${media.id} AND run = ${media.run} AND storage_key = ${media.storageKey}
      FOR UPDATE`;
    if (rows.length === 0) return false; // deleted, moved or processed again meanwhile
    await claimKeys(tx, media.id, [...moves.values()]);
    return true;
  }, LONG);
  if (!isClaimed) return false;
  for (const [from, to] of moves) {
    await store.copy(from, to).catch((error: unknown) => {
      if (!(error instanceof ObjectMissing)) throw error; // the audit reports it
    });
  }
  const at = (key: string | null) => (key === null ? null : (moves.get(key) ?? key));
  const { storageKey, thumbnailKey: thumbnail, normalizedKey, manifestKey, smilKey } = media;
  const keys = {
    thumbnailKey: at(thumbnail),
    normalizedKey: at(normalizedKey),
    manifestKey: at(manifestKey),
    smilKey: at(smilKey),
  };
  const newKey = moves.get(storageKey) ?? storageKey;
  const etag = (await store.stat(newKey))?.etag ?? media.etag;
  return db.$transaction(async (tx) => {
    const changed = await tx.media.updateMany({
      where: { id: media.id, run: media.run, storageKey, attemptId: null, transcodingStage: { in: atRest } },
      data: { ...keys, storageKey: newKey, etag },
    });
    if (changed.count === 0) return false;
    const data = [...moves].map(([from, to]) => ({ oldKey: from, newKey: to, mediaId: media.id }));
    await tx.movedObject.createMany({ data, skipDuplicates: true });
    return true;
  }, LONG);
}

/** Returns the new keys of the objects that must move, by their old keys. */
function presentKeys(media: Media, recorded: readonly string[]): Map<string, string> {
  const { id, storageKey } = media;
  const moves = new Map<string, string>();
  const prefix = ownPrefix(media);
  if (prefix !== null) {
    const present = presentPrefix(prefix);
    if (present === prefix) return moves;
    for (const key of recorded) if (key.startsWith(`${prefix}/`)) moves.set(key, present + key.slice(prefix.length));
    return moves;
  }
  const present = presentFlatKey(storageKey);
  if (present === storageKey) return moves;
  moves.set(storageKey, present);
  const [thumbnail, beside] = [thumbnailKey(media), thumbnailKey({ id, storageKey: present })];
  if (thumbnail !== beside && recorded.includes(thumbnail)) moves.set(thumbnail, beside);
  return moves;
}

async function recordedOf(db: Needs['db'], mediaId: number): Promise<string[]> {
  return (await db.storedObject.findMany({ where: { mediaId }, select: { key: true } })).map(({ key }) => key);
}

/** Removes the originals of objects that were copied and are named by their new keys. */
async function removeMoved({ db, store }: Needs, mediaId: number): Promise<void> {
  const moved = await db.movedObject.findMany({ where: { mediaId } });
  const left = await db.storedObject.findMany({ where: { mediaId, key: { in: moved.map(({ oldKey }) => oldKey) } } });
  const keys = left.map(({ key }) => key);
  await store.removeAll(keys);
  await db.storedObject.deleteMany({ where: { mediaId, key: { in: keys } } });
}
