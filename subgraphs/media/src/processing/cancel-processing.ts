import { randomUUID } from 'node:crypto';

import type { Context } from '../context.ts';
import { databaseTime } from '../database-time.ts';
import { loadMedia, permitOnMedia, type GivenMedia } from '../media/permit-media.ts';
import { showInFull, type VisibleMedia } from '../media/media.ts';
import { mediaNotFound } from '../media/refusals.ts';
import { isFree } from './claim-step.ts';
import { CANCELLED, giveUp } from './give-up.ts';
import { processingEnded } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'db' | 'store' | 'loaders' | 'processingRules'>;

/**
 * Cancels the processing of a media item. A step that is running, in whichever process, ends within a sign of life
 * (`PROCESSING_BEAT_MS`); the item is then `failed`, without a partial ladder, until it is processed again.
 *
 * @throws {Refusal} `MEDIA_NOT_FOUND`, `FORBIDDEN`, `PROCESSING_ENDED`
 */
export async function cancelProcessing(needs: Needs, given: GivenMedia): Promise<VisibleMedia> {
  const { db, processingRules } = needs;
  const atWork = { notIn: ['done' as const, 'failed' as const] };
  const { id, run } = await permitOnMedia(needs, await loadMedia(needs, given), 'media:manage');
  const { count } = await db.media.updateMany({
    where: { id, run, transcodingStage: atWork },
    data: { cancelledRun: run },
  });
  needs.loaders.media.clear(given.id);
  if (count === 0) throw processingEnded();
  // A working attempt finds out with its next sign of life, and ends the run itself: it alone knows when it has stopped
  // writing. Without one, this is the attempt.
  const attempt = { id, run, attemptId: `cancel-${randomUUID()}` };
  const now = await databaseTime(db);
  const held = await db.media.updateMany({
    where: { id, run, transcodingStage: atWork, OR: isFree(processingRules, now) },
    data: { attemptId: attempt.attemptId, attemptSeenAt: now },
  });
  if (held.count > 0) await giveUp(needs, attempt, { failureReason: CANCELLED });
  const row = await db.media.findUnique({ where: { id } });
  if (!row) throw mediaNotFound();
  return showInFull(row);
}
