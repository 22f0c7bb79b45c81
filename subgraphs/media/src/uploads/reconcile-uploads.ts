import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';
import type { QuotaNeeds } from '../quotas/hold-to-quota.ts';
import { completeUpload } from './complete-upload.ts';
import { finishUpload } from './finish-upload.ts';

/** Runs every minute: completes finished uploads that a lost hook or a crash left without a media item. */
export const reconcileUploadsJob = defineJob({
  name: 'media.reconcile-uploads',
  data: z.object({}),
  retries: 0,
  retryDelaySeconds: 1,
  cron: '* * * * *',
});

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log' | 'uploads'> & QuotaNeeds;

/** Younger uploads may still be in the hands of a request. */
const GRACE_MS = 15_000;
const BATCH = 1000;

/** Completes the uploads whose bytes have all arrived. @returns how many */
export async function reconcileUploads(needs: Needs): Promise<number> {
  const { db, clock, uploads } = needs;
  const before = new Date(clock.now().getTime() - GRACE_MS);
  let completed = 0;

  const finished = await db.upload.findMany({ where: { state: 'finished', finishedAt: { lt: before } }, take: BATCH });
  for (const { id } of finished) {
    if ((await completeUpload(needs, id)) !== null) completed++;
  }

  const receiving = await db.upload.findMany({
    where: { state: 'receiving', size: { not: null }, createdAt: { lt: before } },
    take: BATCH,
  });
  for (const { id, size } of receiving) {
    const received = await uploads.received(id);
    if (!received || BigInt(received.bytes) !== size || received.lastAt >= before) continue;
    if ((await finishUpload(needs, { id, size: received.bytes })) !== null) completed++;
  }
  return completed;
}
