import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Upload } from '@foyer/prisma/client';
import { refusedIs } from '#ports/object-store.ts';
import type { Services } from '../context.ts';
import type { QuotaNeeds } from '../quotas/hold-to-quota.ts';
import { completeUpload } from './complete-upload.ts';
import { noteFinished, noteStored } from './finish-upload.ts';
import { eachUpload, isForeign } from './journal.ts';

/** Runs every minute: completes finished uploads that a lost hook or a crash left without a media item. */
export const reconcileUploadsJob = defineJob({
  name: 'media.reconcile-uploads',
  data: z.object({}),
  retries: 0,
  retryDelaySeconds: 1,
  cron: '* * * * *',
});

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log' | 'uploads' | 'store'> & QuotaNeeds;

/** Younger uploads may still be in the hands of a request. */
const GRACE_MS = 15_000;

/** Completes the uploads whose bytes have all arrived. @returns how many */
export async function reconcileUploads(needs: Needs): Promise<number> {
  const { db, clock } = needs;
  const before = new Date(clock.now().getTime() - GRACE_MS);
  let completed = 0;
  const complete = async (id: string) => {
    if ((await completeUpload(needs, id)) !== null) completed++;
  };
  for await (const { id } of eachUpload(db, { state: 'finished', finishedAt: { lt: before } })) await complete(id);
  for await (const upload of eachUpload(db, { state: 'receiving', createdAt: { lt: before } })) {
    const size = await sizeIfWhole(needs, upload, before);
    if (size === null) continue;
    await (isForeign(upload) ? noteStored : noteFinished)(needs, { id: upload.id, size });
    await complete(upload.id);
  }
  return completed;
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
