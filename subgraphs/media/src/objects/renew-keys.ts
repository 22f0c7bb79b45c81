import type { Media } from '@foyer/prisma/client';

import { ObjectMissing } from '#ports/object-store.ts';
import type { Services } from '../context.ts';
import { ownPrefix, presentFlatKey, presentPrefix, thumbnailKey } from '../storage/media-keys.ts';
import { claimKeys, LONG } from './claim-keys.ts';
import { recordObjects } from './record-objects.ts';

type Needs = Pick<Services, 'db' | 'store'>;

const atRest: Media['transcodingStage'][] = ['done', 'failed'];

/**
 * Brings a media item of the time before decision 48 into the present layout: its objects are written down, and those
 * whose keys could be read as another item's get keys that can't. Copies first, then names the copies in the row, then
 * removes what was copied: it may be killed anywhere and done again, and the item can be read all the time.
 *
 * @returns false when it is being processed: then later
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
    if (rows.length === 0) return false; // deleted, moved or begun again meanwhile
    await claimKeys(tx, media.id, [...moves.values()]);
    return true;
  }, LONG);
  if (!isClaimed) return false;
  for (const [from, to] of moves) {
    await store.copy(from, to).catch((error: unknown) => {
      if (!(error instanceof ObjectMissing)) throw error; // the audit tells of it
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
  const there = moves.get(storageKey) ?? storageKey;
  const etag = (await store.stat(there))?.etag ?? media.etag;
  return db.$transaction(async (tx) => {
    const changed = await tx.media.updateMany({
      where: { id: media.id, run: media.run, storageKey, attemptId: null, transcodingStage: { in: atRest } },
      data: { ...keys, storageKey: there, etag },
    });
    if (changed.count === 0) return false;
    const data = [...moves].map(([oldKey, newKey]) => ({ oldKey, newKey, mediaId: media.id }));
    await tx.movedObject.createMany({ data, skipDuplicates: true });
    return true;
  }, LONG);
}

/** Which of its objects must move, and where to. */
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

/** What is copied, named by its new key, and still there under its old one. */
async function removeMoved({ db, store }: Needs, mediaId: number): Promise<void> {
  const moved = await db.movedObject.findMany({ where: { mediaId } });
  const left = await db.storedObject.findMany({ where: { mediaId, key: { in: moved.map(({ oldKey }) => oldKey) } } });
  const keys = left.map(({ key }) => key);
  await store.removeAll(keys);
  await db.storedObject.deleteMany({ where: { mediaId, key: { in: keys } } });
}
