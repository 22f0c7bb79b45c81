import { Metadata } from '@tus/server';

import type { Services } from '../../context.ts';
import { sizeDiffers } from '../refusals.ts';
import { hashOf } from '../upload-token.ts';

type Needs = Pick<Services, 'db'> & { uploadRules: Pick<Services['uploadRules'], 'maxBytes'> };

/** tus takes 0 for no limit: an upload that was prepared as empty gets less than a byte. */
const LESS_THAN_A_BYTE = 0.5;

/**
 * Returns how many bytes an upload may get: as many as were prepared, also while its length is deferred. A length that is
 * stated at the creation is checked with its token.
 */
export async function mostBytes({ db, uploadRules }: Needs, request: Request, id: string | null): Promise<number> {
  const isDeferred = request.headers.has('upload-defer-length');
  const token = isDeferred ? tokenIn(request) : undefined;
  const where = token ? { tokenHash: hashOf(token) } : { uploadId: id ?? '' };
  const prepared = await db.uploadToken.findUnique({ where, select: { fileSize: true } });
  return prepared ? Number(prepared.fileSize) || LESS_THAN_A_BYTE : uploadRules.maxBytes;
}

function tokenIn({ headers }: Request): string | null | undefined {
  try {
    return Metadata.parse(headers.get('upload-metadata') ?? undefined)['uploadToken'];
  } catch {
    return undefined; // the server refuses such metadata
  }
}

/**
 * Checks the length that a client states after the creation, before a byte is written.
 *
 * @throws {Refusal} `UPLOAD_SIZE_DIFFERS`
 */
export async function checkStatedLength({ db }: Needs, request: Request, uploadId: string): Promise<void> {
  const length = request.headers.get('upload-length');
  if (request.method !== 'PATCH' || length === null) return;
  const prepared = await db.uploadToken.findUnique({ where: { uploadId }, select: { fileSize: true } });
  if (prepared && Number(length) !== Number(prepared.fileSize)) throw sizeDiffers(Number(prepared.fileSize));
}
