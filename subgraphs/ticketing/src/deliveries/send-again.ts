import { defineJob, worker, type Attempt } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { deliver } from './deliver.ts';
import { mailRetries } from './mail-retries.ts';
import { ticketMail } from './send-confirmation.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'mailer' | 'receiptPrinter' | 'settings'>;

export const resendTicketsJob = defineJob({
  name: 'ticketing.send-again',
  data: z.object({ deliveryId: z.string() }),
  ...mailRetries,
});

export const resendWorker = (services: Needs) =>
  worker(resendTicketsJob, (data, attempt) => sendAgain(services, data, attempt));

/** Mails the tickets once more; the state of the confirmation does not change. */
export const sendAgain = (needs: Needs, data: { deliveryId: string }, attempt: Pick<Attempt, 'last'>) =>
  deliver(needs, data, attempt, { ...ticketMail(needs), name: 'resent tickets', bringsTickets: false });
