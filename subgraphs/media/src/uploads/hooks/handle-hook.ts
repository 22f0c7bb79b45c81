import { refusedIs } from '#ports/object-store.ts';
import type { Services } from '../../context.ts';
import { completeUpload } from '../complete-upload.ts';
import type { Hook, ToldUpload } from './hook.ts';
import { foreign, uploadJournal } from '../journal.ts';
import { tokenInvalid, tokenMissing, tokenUsed, uploadNotStored } from '../refusals.ts';
import { bindToken, findUsableToken, hashOf } from '../upload-token.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log' | 'uploads' | 'store'>;

/**
 * Acts on what an upload server tells. Creation binds the token, so that a long upload may outlive
 * its ten minutes; a finish completes the upload; one that was given up frees its token; everything
 * else is none of our business. Told again, it changes nothing.
 */
export async function takeHook(needs: Needs, { type, upload }: Pick<Hook, 'type' | 'upload'>): Promise<void> {
  if (!upload || upload.isPartial) return;
  if (type === 'pre-create') return checkToken(needs, upload);
  if (type === 'post-create') return void (await noteUpload(needs, upload));
  if (type === 'post-terminate') return uploadJournal(needs.db).delete(upload.id);
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

/** An upload server that asks first can refuse the upload before a byte is sent. It has no id yet. */
async function checkToken({ db, clock }: Needs, upload: ToldUpload) {
  const { uploadId } = await findUsableToken(db, upload, clock.now());
  if (uploadId) throw tokenUsed();
}

/** Enters an upload of another upload server into the journal and binds its token, which must still be alive. */
async function noteUpload({ db, clock, uploads }: Needs, { id, token, key }: ToldUpload) {
  if (!token) throw tokenMissing();
  const tokenHash = hashOf(token);
  return db.$transaction(async (tx) => {
    const already = await tx.upload.findUnique({ where: { id } });
    if (already) return already;
    // It may be bound already: the journal can have forgotten an upload that took long.
    if (!(await bindToken(tx, { tokenHash, uploadId: id, now: clock.now() }))) throw tokenInvalid();
    return tx.upload.create({
      data: { id, key: key ?? uploads.keyOf(id), tokenHash, info: foreign, createdAt: clock.now() },
    });
  });
}
