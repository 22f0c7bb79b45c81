import type { Worker } from '@foyer/shared/jobs/jobs';

import type { House } from '../context.ts';
import { verificationWorker } from '../customer-mails/send-verification.ts';
import { sweepCustomerRecordsWorker } from './sweep-customer-records.ts';

/** What writes to customers, and forgets what is over. */
export const customerWorkers = (house: House): Worker[] => [
  verificationWorker(house),
  sweepCustomerRecordsWorker(house),
];
