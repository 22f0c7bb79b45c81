import type { Media as MediaRow } from '@foyer/prisma/client';
import { isUniqueViolation } from '@foyer/shared/database-errors';
import type { Attempt } from '@foyer/shared/jobs/job';

import { KeyRefused } from '#ports/object-store.ts';
import { KeyTaken } from '../../objects/claim-keys.ts';
import type { ProcessingData } from '../jobs.ts';
import { placeMedia } from '../place-media.ts';
import { sourceKeys } from '../../storage/media-keys.ts';
import { runStep } from '../run-step.ts';
import { CannotProcess, type Needs, type Task } from '../task.ts';

/**
 * Step 1: moves the file from the upload's key to its final key. From then on it can be played. In a later run it moves
 * all files of the item, if its row names another place by then.
 */
export const moveMediaFile = (needs: Needs, data: ProcessingData, attempt: Attempt) =>
  runStep(needs, 'move', data, attempt, async (task) => {
    const { store } = needs;
    const from = await uploadKey(needs, task.media);
    const key = from === null ? await placeMedia(needs, task) : await moveToFinalKey(needs, task, from);
    return moved(task.media, key, await store.stat(key));
  });

function moved(media: MediaRow, key: string, stored: { etag: string } | null) {
  if (!stored) throw bytesGone();
  // A run that was cancelled may have replaced the file by a normalized one, which only the earlier etag shows.
  const isUnsure = media.normalizationOutcome === 'applied' && media.normalizedKey === null && media.storageKey === key;
  const etag = isUnsure ? media.etag : stored.etag;
  return { data: { status: 'ready' as const, storageKey: key, etag }, facts: { key } };
}

const bytesGone = () => new CannotProcess('The uploaded bytes are no longer in the store.');

/** Returns the key of the upload; null for a seeded item, and when the file was moved in an earlier run. */
async function uploadKey({ db }: Needs, media: MediaRow): Promise<string | null> {
  if (!media.uploadId || media.status === 'ready') return null;
  const upload = await db.upload.findUnique({ where: { id: media.uploadId } });
  return upload?.key ?? null;
}

/** Moves the file to the first of its keys that is free. */
async function moveToFinalKey(needs: Needs, task: Task, from: string): Promise<string> {
  const { store, db } = needs;
  const mediaId = task.media.id;
  for (const key of candidatesFor(task.media, from)) {
    if (!(await reserve(needs, task, { key, from }))) continue;
    try {
      if (await store.stat(from)) await store.move(from, key);
      else if (!(await store.stat(key))) throw bytesGone(); // its record stays: they may come back, and are the only copy
      await db.storedObject.deleteMany({ where: { key: from, mediaId } });
      return key;
    } catch (error) {
      if (!(error instanceof KeyRefused)) throw error;
      // On a disk, a file is in the way of its folder: try the next key.
      await db.storedObject.deleteMany({ where: { key, mediaId } });
    }
  }
  throw new Error('each of its keys belongs to another file or folder'); // those that are not migrated yet will move away
}

/** The keys to try; one that an earlier attempt reserved comes first. */
const candidatesFor = (media: MediaRow, from: string): string[] => [
  ...new Set([...(media.storageKey === from ? [] : [media.storageKey]), ...sourceKeys(media)]),
];

/**
 * Records the key before the file moves: two files of one name can't both get it, and after a crash between move and
 * commit we know that the object is ours.
 */
async function reserve({ store }: Needs, task: Task, { key, from }: { key: string; from: string }): Promise<boolean> {
  if (key === task.media.storageKey && key !== from) return task.claim([key]).then(() => true);
  if (await store.stat(key)) return false; // the object of a deleted item: not ours to replace
  try {
    await task.claim([key], { storageKey: key });
    return true;
  } catch (error) {
    if (error instanceof KeyTaken || isUniqueViolation(error)) return false;
    throw error;
  }
}
