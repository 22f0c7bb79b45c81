import { defineJob, worker, type Attempt } from '@foyer/shared/jobs';
import type { Delivery, OrderTicketGroup } from '@foyer/prisma/client';
import { z } from 'zod';

import { MailRefused, messageIdOf } from '@foyer/shared/mailer';

import { stampOf } from '../calendar.ts';
import type { House } from '../context.ts';
import { notify } from '../notifications/notify.ts';
import { writeLog } from '../orders/write-log.ts';
import { renderReceipt } from '../receipts/render-receipt.ts';
import { confirmationMail } from './confirmation-mail.ts';

type Needs = Pick<House, 'db' | 'clock' | 'events' | 'mailer' | 'receiptPrinter' | 'settings'>;
type OwedMail = Delivery & { order: OrderTicketGroup };

export const sendConfirmationJob = defineJob({
  name: 'ticketing.send-confirmation',
  data: z.object({ deliveryId: z.string() }),
  // 5 s, 10 s, … 30 min, 30 min, …: in all about a day.
  retries: 56,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 30 * 60,
});

export const confirmationWorker = (house: Needs) =>
  worker(sendConfirmationJob, (data, attempt) => sendConfirmation(house, data, attempt));

/** Hands a confirmation to the mail server; when nobody will try again, tells staff. */
export async function sendConfirmation(
  needs: Needs,
  { deliveryId }: { deliveryId: string },
  attempt: Pick<Attempt, 'last'>,
) {
  const owed = await needs.db.delivery.update({
    where: { deliveryId: BigInt(deliveryId) },
    data: { attempts: { increment: 1 } },
    include: { order: true },
  });
  if (owed.state !== 'QUEUED') return; // the process died after the mail was settled, before the job was

  try {
    await handOver(needs, owed);
  } catch (error) {
    const why = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    if (error instanceof MailRefused || attempt.last) return giveUp(needs, owed, why);
    await needs.db.delivery.update({ where: { deliveryId: owed.deliveryId }, data: { lastError: why } });
    throw error;
  }
  await markSent(needs, owed);
}

async function handOver({ mailer, settings, ...needs }: Needs, { order, recipient, messageId }: OwedMail) {
  const { receipt, filename, pdf } = await renderReceipt(needs, order.orderNo);
  await mailer.send({
    ...confirmationMail(receipt, settings.publicUrl),
    to: recipient,
    messageId: messageIdOf(messageId, settings.mailFrom),
    attachments: [{ filename, contentType: 'application/pdf', content: pdf }],
  });
}

const markSent = ({ db, clock }: Needs, { deliveryId, order, recipient }: OwedMail) =>
  db.$transaction(async (tx) => {
    const sentAt = clock.now();
    await tx.delivery.update({ where: { deliveryId }, data: { state: 'SENT', sentAt, lastError: '' } });
    const { orderTicketGroupId } = order;
    await tx.orderTicketGroup.update({ where: { orderTicketGroupId }, data: { isEmailSent: true } });
    const message = `The confirmation with the tickets was sent to ${recipient}.`;
    await writeLog(tx, order, { type: 'email', title: 'Email Sent', message, at: sentAt });
  });

async function giveUp({ db, clock, events }: Needs, { deliveryId, order, recipient }: OwedMail, why: string) {
  const now = clock.now();
  const title = 'Email Not Delivered';
  const message = `The confirmation of ${order.orderNo} could not be delivered to ${recipient}.`;
  const { organizationId, workspaceId } = order;

  const told = await db.$transaction(async (tx) => {
    await tx.delivery.update({ where: { deliveryId }, data: { state: 'DEAD', lastError: why } });
    await writeLog(tx, order, { type: 'email', title, message, at: now });
    return notify(tx, 'system', 'system', 'Order', title, message, stampOf(now), { organizationId, workspaceId });
  });
  await events.publish('notification.added', { notificationId: Number(told.notificationId), organizationId });
}
