import type { UploadToken } from '@foyer/prisma/client';

import type { House } from '../context.ts';
import { sizeDiffers, tokenInvalid, tokenMissing, tokenUsed } from './refusals.ts';
import { hashOf } from './token.ts';

interface Given {
  /** As it stands in the tus metadata. */
  token: string | null | undefined;
  /** Of the upload, in bytes; undefined when the client will say later. */
  size: number | undefined;
}

/**
 * The token under which an upload may be created now. It may be bound to an upload already, but not used up.
 *
 * @throws {Refusal} `UPLOAD_TOKEN_MISSING`, `UPLOAD_TOKEN_INVALID`, `UPLOAD_TOKEN_USED`, `UPLOAD_SIZE_DIFFERS`
 */
export async function usableToken(
  { db, clock }: Pick<House, 'db' | 'clock'>,
  { token: text, size }: Given,
): Promise<UploadToken> {
  if (!text) throw tokenMissing();
  const token = await db.uploadToken.findUnique({ where: { tokenHash: hashOf(text) } });
  if (!token || token.expiresAt <= clock.now()) throw tokenInvalid();
  if (token.usedAt) throw tokenUsed();
  if (size !== undefined && BigInt(size) !== token.fileSize) throw sizeDiffers(Number(token.fileSize));
  return token;
}
