import { refusedIs } from '#ports/object-store.ts';
import type { Services } from '../../context.ts';
import { holdToQuota, type QuotaNeeds } from '../../quotas/hold-to-quota.ts';
import { completeUpload } from '../complete-upload.ts';
import { noteStored } from '../finish-upload.ts';
import type { Hook, ReportedUpload } from './hook.ts';
import { foreign, uploadJournal } from '../journal.ts';
import { tokenInvalid, tokenMissing, tokenUsed, uploadFinished, uploadNotStored, uploadRejected } from '../refusals.ts';
import { bindToken, findUsableToken, hashOf } from '../upload-token.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log' | 'uploads' | 'store'> & QuotaNeeds;

/**
 * Handles a hook. `post-create` binds the token, so that a long upload may outlive the token's ten minutes; `pre-finish`
 * refuses what is not what was prepared; `post-finish` completes the upload; `pre-terminate` refuses to remove a complete
 * one; `post-terminate` releases the token; all others are ignored. Idempotent, and in any order.
 */
export async function handleHook(needs: Needs, { type, upload }: Pick<Hook, 'type' | 'upload'>): Promise<void> {
  if (!upload || upload.isPartial) return;
  if (type === 'pre-create') return checkToken(needs, upload);
  if (type === 'post-create') return void (await recordUpload(needs, upload));
  if (type === 'pre-finish') return checkPrepared(needs, upload);
  if (type === 'pre-terminate') return checkUnfinished(needs, upload.id);
  if (type === 'post-terminate') return uploadJournal(needs.db).delete(upload.id);
  if (type !== 'post-finish') return;

  const known = await needs.db.upload.findUnique({ where: { id: upload.id } });
  if (known?.state === 'completed') return;
  const { id, key } = known ?? (await recordUpload(needs, upload));
  const stored = await needs.store.stat(key).catch(refusedIs(null));
  if (!stored || (upload.size ?? stored.size) !== stored.size) throw uploadNotStored();
  await noteStored(needs, { id, size: stored.size });
  await completeUpload(needs, id);
  await warnOfRejection(needs, id);
}

/** The client of tusd is told of a success already. */
async function warnOfRejection({ db, log }: Needs, id: string) {
  const rejected = await db.upload.findUnique({ where: { id, state: 'rejected' }, select: { reason: true } });
  if (rejected) log.warn({ uploadId: id, reason: rejected.reason }, 'an upload at tusd was rejected');
}

/** Checks the token at `pre-create`: the server can refuse the upload before a byte is sent. There is no id yet. */
async function checkToken(needs: Needs, upload: ReportedUpload) {
  const token = await findUsableToken(needs.db, upload, needs.clock.now());
  if (token.uploadId) throw tokenUsed();
  await needs.db.$transaction((tx) => holdToQuota(needs, tx, 'begin', token));
}

/** Checks a finished upload before its client is told so: a deferred length may be another than the prepared one. */
async function checkPrepared({ db }: Needs, { id, size, token: text }: ReportedUpload) {
  const where = text ? { tokenHash: hashOf(text) } : { uploadId: id };
  const token = await db.uploadToken.findUnique({ where, select: { uploadId: true, fileSize: true } });
  const isBound = token?.uploadId === id || token?.uploadId === null; // `post-create` may still be on its way
  if (!isBound || (size !== undefined && BigInt(size) !== token.fileSize)) throw uploadRejected();
}

/** As on our own server: the bytes of a complete upload belong to the library. */
async function checkUnfinished({ db }: Needs, id: string) {
  const finished = await db.upload.count({ where: { id, state: { in: ['finished', 'completed'] } } });
  if (finished > 0) throw uploadFinished();
}

/** Records an upload of a foreign upload server in the journal and binds its token, which must not have expired. */
async function recordUpload({ db, clock, uploads }: Needs, { id, size, token, key }: ReportedUpload) {
  if (!token) throw tokenMissing();
  const tokenHash = hashOf(token);
  return db.$transaction(async (tx) => {
    const already = await tx.upload.findUnique({ where: { id } });
    if (already) return already;
    // The token may be bound already: the sweep may have removed a long upload from the journal.
    if (!(await bindToken(tx, { tokenHash, uploadId: id, now: clock.now() }))) throw tokenInvalid();
    return tx.upload.create({
      data: { id, key: key ?? uploads.keyOf(id), size: size ?? null, tokenHash, info: foreign, createdAt: clock.now() },
    });
  });
}
