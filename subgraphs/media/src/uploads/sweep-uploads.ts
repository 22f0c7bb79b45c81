import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Upload } from '@foyer/prisma/client';
import { refusedIs } from '#ports/object-store.ts';
import type { Services } from '../context.ts';
import { isOwned } from '../objects/is-owned.ts';
import { eachUpload, isForeign } from './journal.ts';
import { releaseToken, removeExpiredTokens } from './upload-token.ts';

/** Runs every hour: removes abandoned uploads and unused tokens. */
export const sweepUploadsJob = defineJob({
  name: 'media.sweep-uploads',
  data: z.object({}),
  retries: 0,
  retryDelaySeconds: 1,
  expireSeconds: 3_000,
  cron: '17 * * * *',
});

type Needs = Pick<Services, 'db' | 'clock' | 'uploads' | 'store' | 'log'>;

const DAY_MS = 86_400_000;
/** How long the reconciler waits for the bytes of an upload on a foreign upload server. */
const FOREIGN_MS = 7 * DAY_MS;

/**
 * Removes uploads that received no byte for a day, and rejected ones. An upload on a foreign upload server continues there:
 * its bytes stay, and a hook that comes after a week records it again.
 */
export async function sweepUploads(needs: Needs, signal?: AbortSignal): Promise<void> {
  const { db, clock, log } = needs;
  const before = new Date(clock.now().getTime() - DAY_MS);

  const old = eachUpload(db, { createdAt: { lt: before }, state: { in: ['receiving', 'rejected'] } });
  for await (const upload of old) {
    if (signal?.aborted) break;
    // One failure must not stop the others: its row stays, and the job of the next hour tries again.
    await sweepUpload(needs, upload, before).catch((error: unknown) =>
      log.warn({ err: error, uploadId: upload.id }, 'an upload could not be removed'),
    );
  }
  await removeExpiredTokens(db, before);
}

async function sweepUpload(needs: Needs, upload: Upload, before: Date): Promise<void> {
  const { db, clock } = needs;
  const { id, state, createdAt } = upload;
  const continues = state === 'receiving' && isForeign(upload);
  if (continues) {
    if (createdAt.getTime() > clock.now().getTime() - FOREIGN_MS) return;
  } else {
    const lastAt = await lastByteOf(needs, upload);
    if (lastAt && lastAt >= before) return;
    await removeBytes(needs, upload); // before its row: the journal knows what belongs to it
  }
  await db.$transaction(async (tx) => {
    const gone = await tx.upload.deleteMany({ where: { id, state } });
    if (gone.count > 0 && !continues) await releaseToken(tx, id);
  });
}

/** A foreign upload server stores under keys of its own. */
async function lastByteOf({ uploads, store }: Needs, upload: Upload): Promise<Date | undefined> {
  if (!isForeign(upload)) return (await uploads.received(upload.id))?.lastAt;
  return (await store.stat(upload.key).catch(refusedIs(null)))?.modifiedAt;
}

async function removeBytes({ db, uploads, store }: Needs, upload: Upload): Promise<void> {
  if (!isForeign(upload)) return uploads.discard(upload.id);
  // An upload is also rejected because its key is that of a media item.
  if (!(await isOwned(db, upload.key))) await store.remove(upload.key).catch(refusedIs(undefined));
}
