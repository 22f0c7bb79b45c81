import type { Prisma, ProcessingStep, TranscodingStage } from '@foyer/prisma/client';

import type { Services } from '../context.ts';
import { databaseTime } from '../database-time.ts';
import { stageOf } from './plan.ts';

type Needs = Pick<Services, 'db' | 'processingRules'>;

/** An attempt that misses this many signs of life counts as dead. */
const MISSED_BEATS = 5;

/**
 * The same for a step whose attempts have died often already. Should its file be what ends the process each time, all
 * other work gets time in between.
 */
const deadAfter = [
  { from: 0, beats: MISSED_BEATS },
  { from: 6, beats: 3 * MISSED_BEATS },
  { from: 12, beats: 12 * MISSED_BEATS },
];

/** How long an attempt may be silent before another may take its place, in milliseconds. */
export const silenceOf = ({ beatMs }: { beatMs: number }): number => MISSED_BEATS * beatMs;

/** The filter for media items whose attempt died with its process. @param now the time of the database */
export const hasDied = ({ beatMs }: { beatMs: number }, now: Date): Prisma.MediaWhereInput[] =>
  deadAfter.map(({ from, beats }, at) => ({
    tries: { gte: from, lt: deadAfter[at + 1]?.from ?? 2 ** 31 - 1 },
    attemptId: { not: null },
    attemptSeenAt: { lt: new Date(now.getTime() - beats * beatMs) },
  }));

/** The filter for media items that no attempt works on: its last one has ended, or died. */
export const isFree = (rules: { beatMs: number }, now: Date): Prisma.MediaWhereInput[] => [
  { attemptId: null },
  ...hasDied(rules, now),
];

/**
 * Claims a media item for one step.
 *
 * @returns false when the step is done, another attempt is running, or a new run has begun
 */
export const claimStep = (
  { db, processingRules }: Needs,
  step: ProcessingStep,
  { mediaId, run, attemptId }: { mediaId: number; run: number; attemptId: string },
): Promise<boolean> =>
  db.$transaction(async (tx) => {
    // Whoever waited for this lock sees what its holder wrote, the checkpoint included.
    const [before] = await tx.$queryRaw<{ stage: TranscodingStage }[]>`
      SELECT transcoding_stage::text AS stage FROM media.media WHERE id = ${mediaId} FOR UPDATE`;
    // An attempt that died may have begun to replace the ladder: until the step ends, giving up must remove it.
    const stage = step === 'transcode' && before?.stage === 'package' ? 'package' : stageOf[step];
    const now = await databaseTime(tx);
    const { count } = await tx.media.updateMany({
      where: {
        id: mediaId,
        run,
        transcodingStage: { notIn: ['done', 'failed'] },
        checkpoints: { none: { run, step } },
        OR: isFree(processingRules, now),
      },
      data: { attemptId, attemptSeenAt: now, tries: { increment: 1 }, transcodingStage: stage },
    });
    return count > 0;
  });
