import { Prisma, type Media as MediaRow } from '@foyer/prisma/client';
import type { Attempt } from '@foyer/shared/jobs';

import { KeyRefused } from '#ports/object-store.ts';
import type { ProcessingData } from './jobs.ts';
import { sourceKey, sourceKeyBeside } from './keys.ts';
import { CannotProcess, runStep, type Needs, type Task } from './step.ts';

/** Step 1: moves the file from the upload's key to its real key. It can be played from here on. */
export const moveMediaFile = (needs: Needs, data: ProcessingData, attempt: Attempt) =>
  runStep(needs, 'move', data, attempt, async (task) => {
    const { store } = needs;
    const from = await uploadKey(needs, task.media);
    if (from === null) return moved(task.media.storageKey, await store.stat(task.media.storageKey)); // seeded, or processed again

    const key = await reserveKey(needs, task, from);
    const waiting = await store.stat(from);
    if (waiting) {
      task.own(key);
      await store.move(from, key).catch((error: unknown) => {
        throw error instanceof KeyRefused ? new CannotProcess('Another file or folder has that name.') : error;
      });
    }
    return moved(key, await store.stat(key));
  });

function moved(key: string, stored: { size: number; etag: string } | null) {
  if (!stored) throw new CannotProcess('The uploaded bytes are no longer in the store.');
  const { size, etag } = stored;
  return { data: { status: 'ready' as const, storageKey: key, fileSize: size, etag }, facts: { key } };
}

/** Where the upload lies; null when the file was moved in an earlier run. */
async function uploadKey({ db }: Needs, media: MediaRow): Promise<string | null> {
  if (!media.uploadId || media.status === 'ready') return null;
  const upload = await db.upload.findUnique({ where: { id: media.uploadId } });
  return upload?.key ?? null;
}

/**
 * Writes down the key before the file moves: two files of one name can't both have it, and after a
 * crash between the move and the commit we know what lies there is ours.
 */
async function reserveKey({ store }: Needs, { media, write }: Task, from: string): Promise<string> {
  if (media.storageKey !== from) return media.storageKey; // reserved by an earlier try
  for (const key of [sourceKey(media), sourceKeyBeside(media)]) {
    if (await store.stat(key)) continue; // left by someone whose row is gone: not ours to replace
    try {
      await write({ storageKey: key });
      return key;
    } catch (error) {
      if (!(error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002')) throw error;
    }
  }
  throw new CannotProcess('Another file has that name.');
}
