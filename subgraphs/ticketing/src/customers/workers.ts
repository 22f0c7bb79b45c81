import type { Worker } from '@foyer/shared/jobs/jobs';

import type { Services } from '../context.ts';
import { verificationWorker } from '../customer-mails/send-verification.ts';
import { sweepCustomerRecordsWorker } from './sweep-customer-records.ts';

/** What writes to customers, and forgets what is over. */
export const customerWorkers = (services: Services): Worker[] => [
  verificationWorker(services),
  sweepCustomerRecordsWorker(services),
];
