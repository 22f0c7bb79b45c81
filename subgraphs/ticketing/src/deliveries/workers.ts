import type { Worker } from '@foyer/shared/jobs/jobs';

import type { House } from '../context.ts';
import { resendWorker } from './send-again.ts';
import { confirmationWorker } from './send-confirmation.ts';
import { refundNoticeWorker } from './send-refund-notice.ts';
import { sweepDeliveriesWorker } from './sweep-deliveries.ts';

/** What sends the mails that are owed. */
export const deliveryWorkers = (house: House): Worker[] => [
  confirmationWorker(house),
  refundNoticeWorker(house),
  resendWorker(house),
  sweepDeliveriesWorker(house),
];
