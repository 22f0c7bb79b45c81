import { defineJob, worker, type Attempt } from '@foyer/shared/jobs/jobs';
import { z } from 'zod';

import type { House } from '../context.ts';
import { deliver } from './deliver.ts';
import { patience } from './patience.ts';
import { ticketLetter } from './send-confirmation.ts';

type Needs = Pick<House, 'db' | 'clock' | 'mailer' | 'receiptPrinter' | 'settings'>;

export const resendTicketsJob = defineJob({
  name: 'ticketing.send-again',
  data: z.object({ deliveryId: z.string() }),
  ...patience,
});

export const resendWorker = (house: Needs) =>
  worker(resendTicketsJob, (data, attempt) => sendAgain(house, data, attempt));

/** Hands the tickets to the mail server once more; whether the confirmation was sent is another story. */
export const sendAgain = (needs: Needs, data: { deliveryId: string }, attempt: Pick<Attempt, 'last'>) =>
  deliver(needs, data, attempt, { ...ticketLetter(needs), name: 'resent tickets', bringsTickets: false });
