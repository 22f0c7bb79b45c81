import { Prisma } from '@foyer/prisma/client';
import { deleteInBatches } from '@foyer/prisma/delete-in-batches';
import { defineJob, worker } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';

type Needs = Pick<Services, 'db' | 'clock'>;

const sweepCustomerRecordsJob = defineJob({
  name: 'ticketing.sweep-customer-records',
  data: z.object({}).loose(),
  retries: 3,
  retryDelaySeconds: 60,
  expireSeconds: 3_000,
  cron: '35 * * * *',
});

/** Deletes expired links and sessions; a token expires no later than its session. */
export const sweepCustomerRecordsWorker = ({ db, clock }: Needs) =>
  worker(sweepCustomerRecordsJob, async (_data, { signal }) => {
    const where = Prisma.sql`expires_at < ${clock.now()}`;
    await deleteInBatches(db, { from: 'ticketing.customer_link', where, signal });
    await deleteInBatches(db, { from: 'ticketing.customer_session', where, signal });
  });
