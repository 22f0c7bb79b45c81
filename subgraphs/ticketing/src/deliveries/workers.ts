import type { Worker } from '@foyer/shared/jobs/job';

import type { Services } from '../context.ts';
import { resendWorker } from './send-again.ts';
import { confirmationWorker } from './send-confirmation.ts';
import { refundNoticeWorker } from './send-refund-notice.ts';
import { sweepDeliveriesWorker } from './sweep-deliveries.ts';

/** The jobs that send queued mails. */
export const deliveryWorkers = (services: Services): Worker[] => [
  confirmationWorker(services),
  refundNoticeWorker(services),
  resendWorker(services),
  sweepDeliveriesWorker(services),
];
