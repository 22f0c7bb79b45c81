import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';

/** Deletes the expired keys of payment forms, and those by which repeated requests are known. */
export const sweepTokensJob = defineJob({
  name: 'ticketing.sweep-payment-tokens',
  data: z.object({}).loose(),
  retries: 3,
  retryDelaySeconds: 60,
  cron: '15 * * * *',
});

export async function sweepTokens({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const isOver = { where: { expiresAt: { lt: clock.now() } } };
  await db.paymentToken.deleteMany(isOver);
  await db.idempotencyKey.deleteMany(isOver);
}
