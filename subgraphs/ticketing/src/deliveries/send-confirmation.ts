import { defineJob, worker, type Attempt } from '@foyer/shared/jobs/job';
import { leavingTime } from '@foyer/shared/jobs/leave-time';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { renderReceipt } from '../receipts/render-receipt.ts';
import { confirmationMail } from './mails/confirmation-mail.ts';
import { visitCalendar } from './mails/visit-calendar.ts';
import { deliver, type MailKind } from './deliver.ts';
import { mailRetries } from './mail-retries.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'mailer' | 'receiptPrinter' | 'settings'>;

export const sendConfirmationJob = defineJob({
  name: 'ticketing.send-confirmation',
  data: z.object({ deliveryId: z.string() }),
  ...mailRetries,
});

/** A popular day makes a backlog of these mails, and orders come before them. */
export function confirmationWorker(services: Needs) {
  const leaveTime = leavingTime();
  return worker(sendConfirmationJob, (data, attempt) => leaveTime(() => sendConfirmation(services, data, attempt)));
}

/** Sends a confirmation, or notifies staff after the last attempt. */
export const sendConfirmation = (needs: Needs, data: { deliveryId: string }, attempt: Pick<Attempt, 'last'>) =>
  deliver(needs, data, attempt, ticketMail(needs));

/** The mail that brings the tickets, and the visit for the buyer's calendar. */
export const ticketMail = (needs: Pick<Needs, 'db' | 'receiptPrinter' | 'settings'>): MailKind => ({
  name: 'confirmation with the tickets',
  bringsTickets: true,
  async write(order) {
    const { publicUrl } = needs.settings;
    const { receipt, filename, pdf } = await renderReceipt(needs, order.orderNo, null);
    const calendar = Buffer.from(visitCalendar(order, receipt, publicUrl));
    const attachments = [
      { filename, contentType: 'application/pdf', content: pdf },
      { filename: 'visit.ics', contentType: 'text/calendar; charset=utf-8; method=PUBLISH', content: calendar },
    ];
    return { ...confirmationMail(receipt, publicUrl), attachments };
  },
});
