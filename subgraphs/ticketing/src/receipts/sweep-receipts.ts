import { defineJob, worker } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { ReceiptCache } from './receipt-cache.ts';

const sweepReceiptsJob = defineJob({
  name: 'ticketing.sweep-receipts',
  data: z.object({}).loose(),
  retries: 3,
  retryDelaySeconds: 60,
  cron: '*/10 * * * *',
});

/** Removes printed receipts that are too old, or too many. A store that is away is swept ten minutes later. */
export const sweepReceiptsWorker = (cache: ReceiptCache) => worker(sweepReceiptsJob, () => cache.sweep());
