import { worker, type Worker } from '@foyer/shared/jobs/job';

import type { Services } from '../context.ts';
import { expireOrders, expireOrdersJob } from '../settlement/expire-orders.ts';
import { requeryPaymentJob } from '../settlement/requery-job.ts';
import { runRequery } from '../settlement/requery-payment.ts';
import { sweepTokens, sweepTokensJob } from './sweep-tokens.ts';

/** The jobs that expire, requery and clean up payments. */
export const paymentWorkers = (services: Services): Worker[] => [
  worker(expireOrdersJob, (_data, { signal }) => expireOrders(services, signal)),
  worker(sweepTokensJob, (_data, { signal }) => sweepTokens(services, signal)),
  worker(requeryPaymentJob, (data) => runRequery(services, data)),
];
