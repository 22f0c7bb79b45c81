import { defineJob, worker, type Attempt } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { deliver } from './deliver.ts';
import { mailRetries } from './mail-retries.ts';
import { refundMail } from './mails/refund-mail.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'mailer' | 'settings'>;

export const sendRefundNoticeJob = defineJob({
  name: 'ticketing.send-refund-notice',
  data: z.object({ deliveryId: z.string() }),
  ...mailRetries,
});

export const refundNoticeWorker = (services: Needs) =>
  worker(sendRefundNoticeJob, (data, attempt) => sendRefundNotice(services, data, attempt));

/** Sends the notice of a refund to a buyer who paid too late. */
export const sendRefundNotice = (needs: Needs, data: { deliveryId: string }, attempt: Pick<Attempt, 'last'>) =>
  deliver(needs, data, attempt, {
    name: 'notice of a refund',
    bringsTickets: false,
    write: async (order) => refundMail(order),
  });
