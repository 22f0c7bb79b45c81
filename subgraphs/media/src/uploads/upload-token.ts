import { createHash, randomBytes } from 'node:crypto';

import { Prisma, type UploadToken } from '@foyer/prisma/client';
import { deleteInBatches } from '@foyer/prisma/delete-in-batches';
import type { MediaDatabase, MediaTransaction } from '@foyer/prisma/media';

import { sizeDiffers, tokenInvalid, tokenMissing, tokenUsed } from './refusals.ts';

/*
 * The life of an upload token: it is issued for one prepared upload, bound to the upload that is created with it,
 * released when that upload is given up, and used up when the upload becomes a media item. One that expires unbound,
 * and one that is used up, are removed.
 */

type Tokens = Pick<MediaTransaction, 'uploadToken'>;

type Prepared = Omit<Prisma.UploadTokenUncheckedCreateInput, 'tokenHash' | 'uploadId' | 'usedAt'>;

/** Issues a token for a prepared upload. @returns its text, of which only a hash is kept */
export async function issueToken(db: Tokens, prepared: Prepared): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.uploadToken.create({ data: { ...prepared, tokenHash: hashOf(token) } });
  return token;
}

export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

interface Given {
  /** As the tus metadata carries it. */
  token: string | null | undefined;
  /** Of the upload, in bytes; undefined when the client will state it later. */
  size: number | undefined;
}

/**
 * Finds the token under which an upload may be created now. It may be bound to an upload already, but not used up.
 *
 * @throws {Refusal} `UPLOAD_TOKEN_MISSING`, `UPLOAD_TOKEN_INVALID`, `UPLOAD_TOKEN_USED`, `UPLOAD_SIZE_DIFFERS`
 */
export async function findUsableToken(db: Tokens, { token: text, size }: Given, now: Date): Promise<UploadToken> {
  if (!text) throw tokenMissing();
  const token = await db.uploadToken.findUnique({ where: { tokenHash: hashOf(text) } });
  if (!token || token.expiresAt <= now) throw tokenInvalid();
  if (token.usedAt) throw tokenUsed();
  if (size !== undefined && BigInt(size) !== token.fileSize) throw sizeDiffers(Number(token.fileSize));
  return token;
}

interface Binding {
  tokenHash: string;
  uploadId: string;
  /** The upload that this one replaces: the token may still be bound to it. */
  replaces?: string | null;
  now: Date;
}

/**
 * Binds an unused token to an upload: from then on it is valid for this upload alone, however long that takes. A token
 * that is bound to the upload already stays bound, also after it has expired.
 *
 * @returns false when the token is unknown, used, expired or bound to another upload
 */
export async function bindToken(tx: Tokens, { tokenHash, uploadId, replaces = null, now }: Binding): Promise<boolean> {
  const { count } = await tx.uploadToken.updateMany({
    where: { tokenHash, usedAt: null, OR: [{ uploadId }, { uploadId: replaces, expiresAt: { gt: now } }] },
    data: { uploadId },
  });
  return count > 0;
}

/** Releases the token of an upload that was given up: it may be bound to another. */
export async function releaseToken(tx: Tokens, uploadId: string): Promise<void> {
  await tx.uploadToken.updateMany({ where: { uploadId, usedAt: null }, data: { uploadId: null } });
}

/** Returns why a finished upload can't become a media item under its token; null when it can. */
export function objectionTo(upload: { id: string; size: bigint | null }, token: UploadToken | null): string | null {
  if (!token || token.uploadId !== upload.id) return 'its token is not bound to it';
  if (token.usedAt) return 'its token is already used';
  if (upload.size !== token.fileSize) return `it has ${upload.size} bytes, prepared were ${token.fileSize}`;
  return null;
}

/** Marks a token as used, in the transaction that makes the media item. */
export async function useToken(tx: Tokens, id: UploadToken['id'], now: Date): Promise<void> {
  await tx.uploadToken.update({ where: { id }, data: { usedAt: now } });
}

/** Removes the tokens that expired before a moment, except those of uploads that may still become media items. */
export async function removeExpiredTokens(db: MediaDatabase, before: Date): Promise<void> {
  const where = Prisma.sql`expires_at < ${before} AND (upload_id IS NULL OR used_at IS NOT NULL)`;
  await deleteInBatches(db, { from: 'media.upload_token', where });
}
