import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { isForeign } from './journal.ts';
import { removeExpiredTokens } from './upload-token.ts';

/** Runs every hour: removes abandoned uploads and unused tokens. */
export const sweepUploadsJob = defineJob({
  name: 'media.sweep-uploads',
  data: z.object({}),
  retries: 0,
  retryDelaySeconds: 1,
  cron: '17 * * * *',
});

type Needs = Pick<Services, 'db' | 'clock' | 'uploads'>;

const DAY_MS = 86_400_000;
const BATCH = 1000;

/**
 * Removes uploads that received no byte for a day, and rejected ones. An upload on a foreign upload server continues there:
 * its bytes stay, and its next hook records it again.
 */
export async function sweepUploads({ db, clock, uploads }: Needs): Promise<void> {
  const before = new Date(clock.now().getTime() - DAY_MS);

  const old = await db.upload.findMany({
    where: { createdAt: { lt: before }, state: { in: ['receiving', 'rejected'] } },
    take: BATCH,
  });
  for (const { id, state, info } of old) {
    if (state === 'rejected' || !isForeign({ info })) {
      const received = await uploads.received(id);
      if (received && received.lastAt >= before) continue;
      await uploads.discard(id); // before its row: the journal knows what belongs to it
    }
    await db.upload.deleteMany({ where: { id, state } });
  }
  await removeExpiredTokens(db, before);
}
