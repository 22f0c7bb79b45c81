import { defineJob, worker, type Attempt } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { renderReceipt } from '../receipts/render-receipt.ts';
import { confirmationMail } from './mails/confirmation-mail.ts';
import { deliver, type MailKind } from './deliver.ts';
import { mailRetries } from './mail-retries.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'mailer' | 'receiptPrinter' | 'settings'>;

export const sendConfirmationJob = defineJob({
  name: 'ticketing.send-confirmation',
  data: z.object({ deliveryId: z.string() }),
  ...mailRetries,
});

export const confirmationWorker = (services: Needs) =>
  worker(sendConfirmationJob, (data, attempt) => sendConfirmation(services, data, attempt));

/** Sends a confirmation, or notifies staff after the last attempt. */
export const sendConfirmation = (needs: Needs, data: { deliveryId: string }, attempt: Pick<Attempt, 'last'>) =>
  deliver(needs, data, attempt, ticketMail(needs));

/** The mail that brings the tickets. */
export const ticketMail = (needs: Pick<Needs, 'db' | 'receiptPrinter' | 'settings'>): MailKind => ({
  name: 'confirmation with the tickets',
  bringsTickets: true,
  async write({ orderNo }) {
    const { receipt, filename, pdf } = await renderReceipt(needs, orderNo);
    const attachments = [{ filename, contentType: 'application/pdf', content: pdf }];
    return { ...confirmationMail(receipt, needs.settings.publicUrl), attachments };
  },
});
