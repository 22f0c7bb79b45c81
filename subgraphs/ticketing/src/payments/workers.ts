import { worker, type Worker } from '@foyer/shared/jobs/jobs';

import type { House } from '../context.ts';
import { expireOrders, expireOrdersJob } from '../settlement/expire-orders.ts';
import { requeryPaymentJob } from '../settlement/requery-job.ts';
import { runRequery } from '../settlement/requery-payment.ts';
import { sweepTokens, sweepTokensJob } from './sweep-tokens.ts';

/** What looks after payments when no buyer does. */
export const paymentWorkers = (house: House): Worker[] => [
  worker(expireOrdersJob, (_data, { signal }) => expireOrders(house, signal)),
  worker(sweepTokensJob, () => sweepTokens(house)),
  worker(requeryPaymentJob, (data) => runRequery(house, data)),
];
