import { defineJob, worker } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';

type Needs = Pick<Services, 'db' | 'clock'>;

const sweepCustomerRecordsJob = defineJob({
  name: 'ticketing.sweep-customer-records',
  data: z.object({}).loose(),
  retries: 3,
  retryDelaySeconds: 60,
  cron: '35 * * * *',
});

/** Deletes expired links and sessions; a token expires no later than its session. */
export const sweepCustomerRecordsWorker = ({ db, clock }: Needs) =>
  worker(sweepCustomerRecordsJob, async () => {
    const isOver = { where: { expiresAt: { lt: clock.now() } } };
    await db.customerLink.deleteMany(isOver);
    await db.customerSession.deleteMany(isOver);
  });
