import { refusedIs } from '#ports/object-store.ts';
import type { House } from '../context.ts';
import { completeUpload } from './complete-upload.ts';
import type { Hook } from './hook.ts';
import { tokenInvalid, tokenMissing, uploadNotStored } from './refusals.ts';
import { hashOf } from './token.ts';

type Needs = Pick<House, 'db' | 'clock' | 'jobs' | 'log' | 'uploads' | 'store'>;

/**
 * Acts on what an upload server tells. Creation binds the token, so that a long upload may outlive
 * its ten minutes; a finish completes the upload; everything else is none of our business.
 * Told again, it changes nothing.
 */
export async function takeHook(needs: Needs, { type, upload }: Hook): Promise<void> {
  if (upload.isPartial) return;
  if (type === 'pre-create') return checkToken(needs, upload);
  if (type === 'post-create') return void (await noteUpload(needs, upload));
  if (type !== 'post-finish') return;

  const known = await needs.db.upload.findUnique({ where: { id: upload.id } });
  if (known?.state === 'completed') return;
  const { id, key } = known ?? (await noteUpload(needs, upload));
  const stored = await needs.store.stat(key).catch(refusedIs(null));
  if (!stored || (upload.size ?? stored.size) !== stored.size) throw uploadNotStored();
  await needs.db.upload.updateMany({
    where: { id, state: 'receiving' },
    data: { state: 'finished', size: stored.size, finishedAt: needs.clock.now() },
  });
  await completeUpload(needs, id);
}

/** An upload server that asks first can refuse the upload before a byte is sent. */
async function checkToken({ db, clock }: Needs, { token: text }: Hook['upload']) {
  if (!text) throw tokenMissing();
  const token = await db.uploadToken.findUnique({ where: { tokenHash: hashOf(text) } });
  if (!token || token.uploadId || token.expiresAt <= clock.now()) throw tokenInvalid();
}

/** Enters an upload of another upload server into the journal and binds its token, which must still be alive. */
async function noteUpload({ db, clock, uploads }: Needs, { id, token, key }: Hook['upload']) {
  if (!token) throw tokenMissing();
  const tokenHash = hashOf(token);
  return db.$transaction(async (tx) => {
    const already = await tx.upload.findUnique({ where: { id } });
    if (already) return already;
    const bound = await tx.uploadToken.updateMany({
      where: { tokenHash, uploadId: null, usedAt: null, expiresAt: { gt: clock.now() } },
      data: { uploadId: id },
    });
    if (bound.count === 0) throw tokenInvalid();
    return tx.upload.create({ data: { id, key: key ?? uploads.keyOf(id), tokenHash, createdAt: clock.now() } });
  });
}
