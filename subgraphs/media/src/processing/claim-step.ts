import type { ProcessingStep } from '@foyer/prisma/client';

import type { Services } from '../context.ts';
import { stageOf } from './plan.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'processingRules'>;

/** After so many missed signs of life a try counts as dead. */
const MISSED_BEATS = 5;

/** How long a try may be silent before another may take its place, in milliseconds. */
export const silenceOf = ({ beatMs }: { beatMs: number }): number => MISSED_BEATS * beatMs;

/**
 * Takes a media item for one step, unless the step is done, another try is at it, or the run is not
 * the present one any more.
 */
export const claimStep = (
  { db, clock, processingRules }: Needs,
  step: ProcessingStep,
  { mediaId, run, attemptId }: { mediaId: number; run: number; attemptId: string },
): Promise<boolean> =>
  db.$transaction(async (tx) => {
    // Whoever waits here sees what the one before has written, its checkpoint included.
    await tx.$queryRaw`SELECT 1 FROM media.media WHERE id = ${mediaId} FOR UPDATE`;
    const now = clock.now();
    const silentSince = new Date(now.getTime() - silenceOf(processingRules));
    const { count } = await tx.media.updateMany({
      where: {
        id: mediaId,
        run,
        transcodingStage: { notIn: ['done', 'failed'] },
        checkpoints: { none: { run, step } },
        OR: [{ attemptId: null }, { attemptSeenAt: { lt: silentSince } }],
      },
      data: { attemptId, attemptSeenAt: now, tries: { increment: 1 }, transcodingStage: stageOf[step] },
    });
    return count > 0;
  });
