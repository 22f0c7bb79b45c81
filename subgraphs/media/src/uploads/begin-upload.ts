import type { MediaTransaction } from '@foyer/prisma/media';

import type { Services } from '../context.ts';
import { holdToQuota, type QuotaNeeds } from '../quotas/hold-to-quota.ts';
import { metadataUnusable, tokenUsed } from './refusals.ts';
import { bindToken, findUsableToken } from './upload-token.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'uploads'> & QuotaNeeds;

export interface NewUpload {
  id: string;
  /** In bytes; undefined when the client will state it later. */
  size?: number | undefined;
  metadata?: Record<string, string | null> | undefined;
}

/**
 * Binds the token of a prepared upload to the upload that is being created. From then on the token is valid for this
 * upload alone, however long it takes.
 *
 * @throws {Refusal} `UPLOAD_TOKEN_MISSING`, `UPLOAD_METADATA`, `UPLOAD_TOKEN_INVALID`, `UPLOAD_TOKEN_USED`,
 *   `UPLOAD_SIZE_DIFFERS`, `MEDIA_QUOTA_EXCEEDED`
 */
export async function beginUpload(needs: Needs, upload: NewUpload): Promise<void> {
  const { db, clock, uploads } = needs;
  if (Object.values(upload.metadata ?? {}).some((value) => value?.includes('\0'))) throw metadataUnusable();
  const now = clock.now();
  const given = { token: upload.metadata?.['uploadToken'], size: upload.size };
  const token = await findUsableToken(db, given, now);
  const { tokenHash, uploadId: earlier } = token;
  if (earlier && ((await uploads.received(earlier))?.bytes ?? 0) > 0) throw tokenUsed();

  await db.$transaction(async (tx) => {
    if (earlier) await giveUp(tx, earlier);
    await holdToQuota(needs, tx, 'begin', token);
    const isBound = await bindToken(tx, { tokenHash, uploadId: upload.id, replaces: earlier, now });
    if (!isBound) throw tokenUsed(); // another upload was faster
    await tx.upload.create({
      data: {
        id: upload.id,
        key: uploads.keyOf(upload.id),
        tokenHash,
        size: upload.size ?? null,
        createdAt: now,
      },
    });
  });
  if (earlier) await uploads.discard(earlier);
}

/** Gives up an empty upload whose client missed the response to its creation and creates it again. */
async function giveUp(tx: MediaTransaction, uploadId: string) {
  const gone = await tx.upload.deleteMany({ where: { id: uploadId, state: 'receiving' } });
  if (gone.count === 0) throw tokenUsed();
}
