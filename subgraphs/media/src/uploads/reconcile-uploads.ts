import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Upload, UploadState } from '@foyer/prisma/client';
import { refusedIs } from '#ports/object-store.ts';
import type { Services } from '../context.ts';
import type { QuotaNeeds } from '../quotas/hold-to-quota.ts';
import { completeUpload } from './complete-upload.ts';
import { noteFinished, noteStored } from './finish-upload.ts';
import { eachUploadInTurn, isForeign } from './journal.ts';

/** Runs every minute: completes finished uploads that a lost hook or a crash left without a media item. */
export const reconcileUploadsJob = defineJob({
  name: 'media.reconcile-uploads',
  data: z.object({}),
  retries: 0,
  retryDelaySeconds: 1,
  // Before the next one begins: else they would pile up.
  expireSeconds: 55,
  cron: '* * * * *',
});

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log' | 'uploads' | 'store'> & QuotaNeeds;

/** Younger uploads may still be in the hands of a request. */
const GRACE_MS = 15_000;

/** Completes the uploads whose bytes have all arrived. @returns how many */
export async function reconcileUploads(needs: Needs, signal?: AbortSignal): Promise<number> {
  const { db, clock, log } = needs;
  const before = new Date(clock.now().getTime() - GRACE_MS);
  let completed = 0;
  const each = async (state: UploadState, complete: (upload: Upload) => Promise<number | null>) => {
    for await (const upload of eachUploadInTurn(db, state, before)) {
      if (signal?.aborted) return;
      try {
        if ((await complete(upload)) !== null) completed++;
      } catch (error) {
        // One failure must not stop the others; the job of the next minute tries again.
        log.warn({ err: error, uploadId: upload.id }, 'an upload could not be completed');
      }
    }
  };
  await each('finished', ({ id }) => completeUpload(needs, id));
  await each('receiving', (upload) => completeIfWhole(needs, upload, before));
  return completed;
}

/** Completes an upload whose end was lost. @returns the media item's id; null when there is none */
async function completeIfWhole(needs: Needs, upload: Upload, before: Date): Promise<number | null> {
  const size = await sizeIfWhole(needs, upload, before);
  if (size === null) return null;
  await (isForeign(upload) ? noteStored : noteFinished)(needs, { id: upload.id, size });
  return completeUpload(needs, upload.id);
}

/** Returns the size of an upload, in bytes; null while some of it is missing, or may still be arriving. */
async function sizeIfWhole(needs: Needs, upload: Upload, before: Date): Promise<number | null> {
  const { db, store, uploads } = needs;
  const { id, key, size, tokenHash } = upload;
  if (!isForeign(upload)) {
    const received = size === null ? null : await uploads.received(id);
    return received && BigInt(received.bytes) === size && received.lastAt < before ? received.bytes : null;
  }
  // Another upload server has its bytes, and reports each event once at most (docs/decisions/0061).
  const stored = await store.stat(key).catch(refusedIs(null));
  if (!stored || stored.modifiedAt >= before) return null;
  const token = await db.uploadToken.findUnique({ where: { tokenHash }, select: { fileSize: true } });
  return BigInt(stored.size) === token?.fileSize ? stored.size : null;
}
