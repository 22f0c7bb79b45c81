import { defineJob, worker } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { jobOfMail } from './job-of-mail.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log'>;

/** Finds queued mails whose job was lost: a mail is due because of its row, not because of its job. */
const sweepDeliveriesJob = defineJob({
  name: 'ticketing.sweep-deliveries',
  data: z.object({}).loose(),
  retries: 0,
  retryDelaySeconds: 5,
  cron: '*/10 * * * *',
});

export const sweepDeliveriesWorker = (services: Needs) => worker(sweepDeliveriesJob, () => sweepDeliveries(services));

/** Longer than the longest pause between two attempts. */
const SILENCE_MINUTES = 45;
const BATCH = 500;

/** Gives each queued mail without a recent attempt a new job. */
export async function sweepDeliveries({ db, clock, jobs, log }: Needs): Promise<void> {
  const now = clock.now();
  const silentSince = new Date(now.getTime() - SILENCE_MINUTES * 60_000);
  const silent = { OR: [{ triedAt: { lt: silentSince } }, { triedAt: null, createdAt: { lt: silentSince } }] };
  const lost = await db.delivery.findMany({ where: { state: 'QUEUED', ...silent }, take: BATCH });
  for (const { deliveryId, kind } of lost) {
    await db.$transaction(async (tx) => {
      const where = { deliveryId, state: 'QUEUED' as const, ...silent };
      const { count } = await tx.delivery.updateMany({ where, data: { triedAt: now } });
      if (count === 1) await jobs.enqueue(jobOfMail[kind], { deliveryId: String(deliveryId) }, { within: tx });
    });
  }
  if (lost.length > 0) log.warn({ mails: lost.length }, 'mails had lost their jobs');
}
