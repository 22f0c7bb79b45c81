import type { UploadToken } from '@foyer/prisma/client';
import type { MediaTransaction } from '@foyer/prisma/media';
import { Refusal } from '@foyer/shared/errors';

import type { Services } from '../context.ts';
import { claimKeys } from '../objects/claim-keys.ts';
import { isOwned } from '../objects/is-owned.ts';
import { enqueueRun } from '../processing/enqueue-step.ts';
import { holdToQuota, type QuotaNeeds } from '../quotas/hold-to-quota.ts';
import { objectionTo, useToken } from './upload-token.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log'> & QuotaNeeds;

/**
 * Turns a finished upload into a media item and enqueues its processing. Idempotent: an upload becomes one media item,
 * however often and by whomever this is called.
 *
 * @returns the media item's id; null when the upload is not finished, or was rejected
 */
export async function completeUpload(needs: Needs, uploadId: string): Promise<number | null> {
  const { db, clock, jobs, log } = needs;
  const now = clock.now();

  const created = await db.$transaction(async (tx) => {
    const upload = await tx.upload.findUnique({ where: { id: uploadId } });
    if (!upload) return null;
    const token = await tx.uploadToken.findUnique({ where: { tokenHash: upload.tokenHash } });
    const objection =
      objectionTo(upload, token) ??
      (await objectionToKey(tx, upload.key)) ??
      (await objectionOfQuota(needs, tx, token));
    const claimed = await tx.upload.updateMany({
      where: { id: uploadId, state: 'finished' }, // the row lock decides who completes it
      data: objection ? { state: 'rejected', reason: objection } : { state: 'completed', completedAt: now },
    });
    if (claimed.count === 0 || objection || !token) return null;

    await useToken(tx, token.id, now);
    const media = await tx.media.create({
      data: { ...mediaOf(token), uploadId, storageKey: upload.key, objectsRecorded: true, createdAt: now },
    });
    await claimKeys(tx, media.id, [upload.key]);
    await enqueueRun({ jobs }, tx, media);
    return media;
  });

  if (created) {
    log.info({ uploadId, mediaId: created.id }, 'upload completed');
    return created.id;
  }
  const already = await db.media.findUnique({ where: { uploadId }, select: { id: true } });
  return already?.id ?? null;
}

/** Returns why the key of an upload can't be used: a foreign upload server chooses it itself. */
const objectionToKey = async (tx: MediaTransaction, key: string): Promise<string | null> =>
  (await isOwned(tx, key)) ? 'its bytes belong to another media item' : null;

/** Returns why there is no room for an upload: its organization's quota was lowered after it had begun. */
async function objectionOfQuota(needs: Needs, tx: MediaTransaction, token: UploadToken | null): Promise<string | null> {
  if (!token) return null;
  return holdToQuota(needs, tx, 'complete', token).then(
    () => null,
    (error: unknown) => {
      if (error instanceof Refusal) return "its organization's quota is used up";
      throw error;
    },
  );
}

const mediaOf = (token: UploadToken) => ({
  organizationId: token.organizationId,
  workspaceId: token.workspaceId,
  createdBy: token.createdBy,
  title: token.title,
  mediaType: token.mediaType,
  mimeType: token.mimeType,
  fileSize: token.fileSize,
  originalName: token.originalName,
  fileName: token.fileName,
  tenant: token.tenant,
  folder: token.folder,
  visibility: token.visibility,
  priority: token.priority,
  transcodingProfileId: token.transcodingProfileId,
  ownFolder: token.mediaType === 'video' && token.transcodingProfileId !== null,
});
