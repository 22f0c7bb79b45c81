import type { Worker } from '@foyer/shared/jobs/job';

import type { Services } from '../context.ts';
import { verificationWorker } from '../customer-mails/send-verification.ts';
import { sweepCustomerRecordsWorker } from './sweep-customer-records.ts';

/** The jobs that mail customers and delete expired records. */
export const customerWorkers = (services: Services): Worker[] => [
  verificationWorker(services),
  sweepCustomerRecordsWorker(services),
];
