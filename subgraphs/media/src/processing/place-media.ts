import type { Media } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';
import { isUniqueViolation } from '@foyer/shared/database-errors';

import { KeyRefused, ObjectMissing } from '#ports/object-store.ts';
import type { Services } from '../context.ts';
import { KeyTaken } from '../objects/claim-keys.ts';
import { removeStrays } from '../objects/remove-strays.ts';
import { ownPrefix, sourceKeys, thumbnailKey } from '../storage/media-keys.ts';
import { removeLadder } from './remove-ladder.ts';
import { CannotProcess, type Task } from './task.ts';

type Needs = Pick<Services, 'db' | 'store'>;

/** How many objects are copied at once. */
const AT_ONCE = 8;

/**
 * Moves the objects of a media item to the place that its row names, after its folder or its profile has changed. It
 * copies first, then writes the new keys to the row and records the old ones for old links, then removes the originals.
 * It may be killed anywhere and run again: every key that the row names exists all the time. A ladder that the row does
 * not name any more is removed, too.
 *
 * @throws {CannotProcess} when the file is gone
 */
export async function placeMedia(needs: Needs, task: Task): Promise<string> {
  const { media } = task;
  if (!media.objectsRecorded) return media.storageKey; // the job that records its objects moves it
  // The last of its keys names no folder: it may also be the place that the item is to leave.
  const isPlaced = sourceKeys(media).slice(0, -1).includes(media.storageKey);
  const storageKey = isPlaced ? media.storageKey : await moveAll(needs, task);
  await removeStrays(needs, media.id, task.hold);
  if (!media.manifestKey) await removeLadder(needs, { id: media.id, storageKey });
  return storageKey;
}

/** Moves everything to the first place that is free. */
async function moveAll(needs: Needs, task: Task): Promise<string> {
  const { media } = task;
  for (const storageKey of sourceKeys(media)) {
    if (storageKey === media.storageKey) return storageKey; // no better one is free
    const recorded = await needs.db.storedObject.findMany({ where: { mediaId: media.id }, select: { key: true } });
    const keys = recorded.map(({ key }) => key);
    const moves = newKeys(media, keys, storageKey);
    if (!keys.includes(storageKey) && (await needs.store.stat(storageKey))) continue; // of a deleted item
    if (!(await claimed(task, [...moves.values()]))) continue;
    try {
      await copyAll(needs, task, moves);
    } catch (error) {
      if (error instanceof KeyRefused) continue; // on a disk, a file is in the way of its folder
      throw error;
    }
    await switchTo(needs, task, { storageKey, moves });
    return storageKey;
  }
  throw new Error('each of its keys belongs to another file or folder');
}

/** Returns the new keys of the objects that a new storage key moves, by their old keys. */
function newKeys(media: Media, recorded: readonly string[], storageKey: string): Map<string, string> {
  const [from, to] = [ownPrefix(media), ownPrefix({ id: media.id, storageKey })];
  const thumbnail = thumbnailKey(media);
  const moves = new Map([[media.storageKey, storageKey]]);
  for (const key of recorded) {
    if (key === thumbnail) moves.set(key, thumbnailKey({ id: media.id, storageKey }));
    else if (from !== null && to !== null && key.startsWith(`${from}/`) && key !== media.storageKey)
      moves.set(key, to + key.slice(from.length));
  }
  return moves;
}

async function claimed(task: Task, keys: readonly string[]): Promise<boolean> {
  try {
    await task.claim(keys);
    return true;
  } catch (error) {
    if (error instanceof KeyTaken || isUniqueViolation(error)) return false;
    throw error;
  }
}

async function copyAll({ store }: Needs, { media, signal, report }: Task, moves: ReadonlyMap<string, string>) {
  const all = [...moves];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    signal.throwIfAborted();
    // All must have ended before one can fail: what is written later would be missed by the removal of copies.
    const copies = await Promise.allSettled(
      all.slice(from, from + AT_ONCE).map(([old, key]) =>
        store.copy(old, key).catch((error: unknown) => {
          if (!(error instanceof ObjectMissing)) throw error;
          if (old === media.storageKey) throw new CannotProcess('The file is no longer in the store.');
          // Recorded, but never written.
        }),
      ),
    );
    for (const copy of copies) if (copy.status === 'rejected') throw copy.reason;
    report(from / all.length);
  }
}

/** Writes the new keys to the row; links to the old ones stay valid. */
async function switchTo(
  { store }: Needs,
  { media, write }: Task,
  { storageKey, moves }: { storageKey: string; moves: ReadonlyMap<string, string> },
) {
  const at = (key: string | null) => (key === null ? null : (moves.get(key) ?? key));
  const { thumbnailKey: thumbnail, normalizedKey, manifestKey, smilKey } = media;
  const data = {
    storageKey,
    thumbnailKey: at(thumbnail),
    normalizedKey: at(normalizedKey),
    manifestKey: at(manifestKey),
    smilKey: at(smilKey),
    etag: (await store.stat(storageKey))?.etag ?? media.etag,
  };
  await write(data, (tx) => recordMoves(tx, media.id, moves));
}

async function recordMoves(tx: MediaTransaction, mediaId: number, moves: ReadonlyMap<string, string>) {
  const [from, to] = [[...moves.keys()], [...moves.values()]];
  // An old key may be the present one again, or may have been another item's.
  await tx.movedObject.deleteMany({ where: { oldKey: { in: [...from, ...to] } } });
  await tx.$executeRaw`
    UPDATE media.moved_object moved SET new_key = step.to_key
    FROM unnest(${from}::text[], ${to}::text[]) AS step (from_key, to_key)
    WHERE moved.media_id = ${mediaId} AND moved.new_key = step.from_key`;
  await tx.movedObject.createMany({ data: [...moves].map(([oldKey, newKey]) => ({ oldKey, newKey, mediaId })) });
}
