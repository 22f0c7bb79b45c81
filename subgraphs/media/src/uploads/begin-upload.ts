import type { MediaTransaction } from '@foyer/prisma/media';

import type { House } from '../context.ts';
import { metadataUnusable, sizeDiffers, tokenInvalid, tokenMissing, tokenUsed } from './refusals.ts';
import { hashOf } from './token.ts';

type Needs = Pick<House, 'db' | 'clock' | 'uploads'>;

export interface NewUpload {
  id: string;
  /** In bytes; undefined when the client will say later. */
  size?: number | undefined;
  metadata?: Record<string, string | null> | undefined;
}

/**
 * Binds a prepared upload's token to the upload that is being created: from here on the token is
 * good for this upload alone, however long it takes.
 *
 * @throws {Refusal} `UPLOAD_TOKEN_MISSING`, `UPLOAD_METADATA`, `UPLOAD_TOKEN_INVALID`, `UPLOAD_TOKEN_USED`, `UPLOAD_SIZE_DIFFERS`
 */
export async function beginUpload(needs: Needs, upload: NewUpload): Promise<void> {
  const { db, clock, uploads } = needs;
  const text = upload.metadata?.['uploadToken'];
  if (!text) throw tokenMissing();
  if (Object.values(upload.metadata ?? {}).some((value) => value?.includes('\0'))) throw metadataUnusable();
  const tokenHash = hashOf(text);

  const abandoned = await db.$transaction(async (tx) => {
    const token = await tx.uploadToken.findUnique({ where: { tokenHash } });
    if (!token || token.expiresAt <= clock.now()) throw tokenInvalid();
    if (token.usedAt) throw tokenUsed();
    if (upload.size !== undefined && BigInt(upload.size) !== token.fileSize) throw sizeDiffers(Number(token.fileSize));

    const earlier = token.uploadId;
    if (earlier) await giveUp(needs, tx, earlier);
    const bound = await tx.uploadToken.updateMany({
      where: { tokenHash, uploadId: earlier, usedAt: null },
      data: { uploadId: upload.id },
    });
    if (bound.count === 0) throw tokenUsed(); // another upload was faster
    await tx.upload.create({
      data: {
        id: upload.id,
        key: uploads.keyOf(upload.id),
        tokenHash,
        size: upload.size ?? null,
        createdAt: clock.now(),
      },
    });
    return earlier;
  });
  if (abandoned) await uploads.discard(abandoned);
}

/** A client that never heard the answer to its creation creates again: the empty upload makes room. */
async function giveUp({ uploads }: Needs, tx: MediaTransaction, uploadId: string) {
  const received = await uploads.received(uploadId);
  if (received && received.bytes > 0) throw tokenUsed();
  const gone = await tx.upload.deleteMany({ where: { id: uploadId, state: 'receiving' } });
  if (gone.count === 0) throw tokenUsed();
}
