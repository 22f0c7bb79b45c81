import type { Prisma } from '@foyer/prisma/client';

import type { Services } from '../context.ts';
import { databaseTime } from '../database-time.ts';
import { hasDied } from './claim-step.ts';
import { enqueueStep, findWaiting } from './enqueue-step.ts';
import { planOf, unfinished } from './plan.ts';

type Needs = Pick<Services, 'db' | 'jobs' | 'log' | 'processingRules'>;

/** Longer than the queue waits between two attempts. */
const WAITING_MS = 10 * 60_000;

/**
 * Enqueues the step after the last checkpoint again, for items whose attempt died with its process and for items to
 * which nothing has happened for long, unless their job still waits in the queue. Should there be two jobs after all, the
 * second finds its step done.
 */
export async function resumeProcessing({ db, jobs, log, processingRules }: Needs): Promise<void> {
  const now = await databaseTime(db);
  const forgotten = new Date(now.getTime() - WAITING_MS);
  const find = (where: Prisma.MediaWhereInput) =>
    db.media.findMany({
      where: { transcodingStage: { in: unfinished }, ...where },
      include: { checkpoints: true, transcodingProfile: { include: { renditions: true } } },
      take: 100,
    });
  const stalled = [
    ...(await find({ OR: hasDied(processingRules, now) })), // those that wait may be many
    ...(await find({
      attemptId: null,
      OR: [{ attemptSeenAt: { lt: forgotten } }, { attemptSeenAt: null, createdAt: { lt: forgotten } }],
    })),
  ];
  const next = stalled.flatMap((media) => {
    const step = nextStepOf(media);
    return step ? [{ media, step }] : [];
  });
  for (const [step, all] of Map.groupBy(next, (one) => one.step)) {
    // The job of a dead attempt may wait as well, but only after a pause.
    const unbegun = all.filter(({ media }) => media.attemptId === null).map(({ media }) => media.id);
    const waiting = await findWaiting({ jobs }, step, unbegun);
    for (const { media } of all) {
      const data = { mediaId: media.id, run: media.run };
      const waits =
        media.attemptId === null && waiting.some(({ mediaId, run }) => mediaId === media.id && run === media.run);
      await db.$transaction(async (tx) => {
        const taken = await tx.media.updateMany({
          where: { id: media.id, run: media.run, attemptId: media.attemptId, attemptSeenAt: media.attemptSeenAt },
          data: { attemptId: null, attemptSeenAt: now },
        });
        if (taken.count > 0 && !waits) await enqueueStep({ jobs }, tx, step, data);
      });
      if (!waits) log.warn({ mediaId: media.id, step }, 'processing was resumed');
    }
  }
}

type Stalled = Prisma.MediaGetPayload<{
  include: { checkpoints: true; transcodingProfile: { include: { renditions: true } } };
}>;

/** The step after the last checkpoint. */
function nextStepOf(media: Stalled) {
  const hasLadder = media.ownFolder && (media.transcodingProfile?.renditions.length ?? 0) > 0;
  const done = new Set(media.checkpoints.filter(({ run }) => run === media.run).map(({ step }) => step));
  return planOf({ mediaType: media.mediaType, hasLadder }).find((each) => !done.has(each));
}
