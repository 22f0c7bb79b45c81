import { defineJob } from '@foyer/shared/jobs';
import { z } from 'zod';

import type { House } from '../context.ts';
import { jobOf } from './jobs.ts';
import { planOf } from './plan.ts';

/** Every minute: takes up what no job works on any more. */
export const resumeProcessingJob = defineJob({
  name: 'media.resume-processing',
  data: z.object({}),
  retries: 0,
  retryDelaySeconds: 1,
  cron: '* * * * *',
});

type Needs = Pick<House, 'db' | 'clock' | 'jobs' | 'log'>;

/** Longer than the queue waits between two tries. */
const SILENT_MS = 10 * 60_000;

/**
 * Asks again for the step after the last checkpoint, where nobody showed a sign of life for long.
 * A job that was only waiting in the queue then finds its step done: nothing is done twice.
 */
export async function resumeProcessing({ db, clock, jobs, log }: Needs): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - SILENT_MS);
  const stalled = await db.media.findMany({
    where: {
      transcodingStage: { notIn: ['done', 'failed'] },
      OR: [{ attemptSeenAt: { lt: before } }, { attemptSeenAt: null, createdAt: { lt: before } }],
    },
    include: { checkpoints: true, transcodingProfile: { include: { renditions: true } } },
    take: 100,
  });
  for (const media of stalled) {
    const hasLadder = media.ownFolder && (media.transcodingProfile?.renditions.length ?? 0) > 0;
    const done = new Set(media.checkpoints.filter(({ run }) => run === media.run).map(({ step }) => step));
    const step = planOf({ mediaType: media.mediaType, hasLadder }).find((each) => !done.has(each));
    if (!step) continue;
    await db.$transaction(async (tx) => {
      const taken = await tx.media.updateMany({
        where: { id: media.id, attemptSeenAt: media.attemptSeenAt },
        data: { attemptSeenAt: now },
      });
      if (taken.count > 0) await jobs.enqueue(jobOf[step], { mediaId: media.id, run: media.run }, { within: tx });
    });
    log.warn({ mediaId: media.id, step }, 'processing is taken up again');
  }
}
