import type { Worker } from '@foyer/shared/jobs/jobs';

import type { House } from '../context.ts';
import { customerResetWorker } from './send-customer-reset.ts';
import { verificationWorker } from './send-verification.ts';
import { sweepCustomerRecordsWorker } from './sweep-customer-records.ts';

/** What writes to customers, and forgets what is over. */
export const customerWorkers = (house: House): Worker[] => [
  verificationWorker(house),
  customerResetWorker(house),
  sweepCustomerRecordsWorker(house),
];
