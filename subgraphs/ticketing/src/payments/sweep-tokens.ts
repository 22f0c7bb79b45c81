import { Prisma } from '@foyer/prisma/client';
import { deleteInBatches } from '@foyer/prisma/delete-in-batches';
import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';

/** Deletes the expired keys of payment forms, and those by which repeated requests are known. */
export const sweepTokensJob = defineJob({
  name: 'ticketing.sweep-payment-tokens',
  data: z.object({}).loose(),
  retries: 3,
  retryDelaySeconds: 60,
  expireSeconds: 3_000,
  cron: '15 * * * *',
});

export async function sweepTokens({ db, clock }: Pick<Services, 'db' | 'clock'>, signal?: AbortSignal): Promise<void> {
  const where = Prisma.sql`expires_at < ${clock.now()}`;
  await deleteInBatches(db, { from: 'ticketing.payment_token', where, signal });
  await deleteInBatches(db, { from: 'ticketing.idempotency_key', where, signal });
}
