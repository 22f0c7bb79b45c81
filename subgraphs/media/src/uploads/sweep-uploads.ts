import { defineJob } from '@foyer/shared/jobs/jobs';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { isForeign } from './journal.ts';
import { removeExpiredTokens } from './upload-token.ts';

/** Every hour: removes what was begun and given up, and tokens that nobody used. */
export const sweepUploadsJob = defineJob({
  name: 'media.sweep-uploads',
  data: z.object({}),
  retries: 0,
  retryDelaySeconds: 1,
  cron: '17 * * * *',
});

type Needs = Pick<Services, 'db' | 'clock' | 'uploads'>;

const DAY_MS = 86_400_000;
const MOST = 1000;

/**
 * An upload that got no byte for a day is given up; a rejected one is of no use. What another upload server is receiving
 * goes on there: its bytes stay, and it is remembered again when it ends.
 */
export async function sweepUploads({ db, clock, uploads }: Needs): Promise<void> {
  const before = new Date(clock.now().getTime() - DAY_MS);

  const old = await db.upload.findMany({
    where: { createdAt: { lt: before }, state: { in: ['receiving', 'rejected'] } },
    take: MOST,
  });
  for (const { id, state, info } of old) {
    if (state === 'rejected' || !isForeign({ info })) {
      const received = await uploads.received(id);
      if (received && received.lastAt >= before) continue;
      await uploads.discard(id); // first: the journal knows what belongs to it
    }
    await db.upload.deleteMany({ where: { id, state } });
  }
  await removeExpiredTokens(db, before);
}
