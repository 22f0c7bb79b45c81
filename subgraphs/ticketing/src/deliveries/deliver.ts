import type { Attempt } from '@foyer/shared/jobs/job';
import { MailRefused, messageIdOf, type Mail } from '@foyer/shared/mail/mailer';
import type { Delivery, OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Services } from '../context.ts';
import { notify } from '../notifications/notify.ts';
import { writeOrderLog } from '../orders/write-order-log.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'mailer' | 'settings'>;
type QueuedMail = Delivery & { order: OrderTicketGroup };

/** A kind of mail, and how it is written. */
export interface MailKind {
  /** As the log of the order names it, such as `confirmation with the tickets`. */
  name: string;
  /** Whether the buyer then has the tickets. */
  bringsTickets: boolean;
  write(order: OrderTicketGroup): Promise<Pick<Mail, 'subject' | 'text' | 'html' | 'attachments'>>;
}

/** Longer than the mail server's timeout, shorter than the time limit of one run of the job. */
const LONGEST_MS = 110_000;

/**
 * Sends a queued mail through the mail server and records that it was sent. After the last failed attempt it notifies
 * staff instead. The row of the mail stays locked meanwhile: of two jobs that run at once, one sends, and the lock of a
 * process that dies is released. SMTP can't prevent one duplicate: when the process dies after the mail server accepted
 * the mail and before that is recorded, the mail is sent again under the same Message-ID.
 *
 * @throws {Error} the mail server's error, when the job is to be retried
 */
export async function deliver(
  needs: Needs,
  { deliveryId }: { deliveryId: string },
  attempt: Pick<Attempt, 'last'>,
  kind: MailKind,
): Promise<void> {
  // A failure is recorded too, so it leaves the transaction as a value.
  const failure = await needs.db.$transaction(
    async (tx): Promise<unknown> => {
      const mail = await lockQueued(tx, BigInt(deliveryId));
      if (!mail) return null;
      try {
        await handOver(needs, mail, kind);
      } catch (error) {
        const isOver = error instanceof MailRefused || attempt.last;
        const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
        await writeTry(tx, mail, { triedAt: needs.clock.now(), lastError, ...(isOver && { state: 'DEAD' }) });
        if (!isOver) return error;
        await giveUp(needs, tx, mail, kind);
        return null;
      }
      await markSent(needs, tx, mail, kind);
      return null;
    },
    { timeout: LONGEST_MS, maxWait: 10_000 },
  );
  if (failure) throw failure;
}

/** @returns null when the mail was sent or given up, or when another job is sending it at this moment */
async function lockQueued(tx: TicketingTransaction, deliveryId: bigint): Promise<QueuedMail | null> {
  const held = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM ticketing.delivery WHERE delivery_id = ${deliveryId} AND state = 'QUEUED' FOR UPDATE SKIP LOCKED`;
  return held.length > 0 ? tx.delivery.findUnique({ where: { deliveryId }, include: { order: true } }) : null;
}

async function handOver({ mailer, settings }: Needs, { order, recipient, messageId }: QueuedMail, kind: MailKind) {
  const content = await kind.write(order);
  await mailer.send({ ...content, to: recipient, messageId: messageIdOf(messageId, settings.mailFrom) });
}

const writeTry = (
  tx: TicketingTransaction,
  { deliveryId }: QueuedMail,
  data: Partial<Pick<Delivery, 'state' | 'lastError' | 'triedAt' | 'sentAt'>>,
) => tx.delivery.update({ where: { deliveryId }, data: { ...data, attempts: { increment: 1 } } });

async function markSent({ clock }: Needs, tx: TicketingTransaction, mail: QueuedMail, kind: MailKind) {
  const { order, recipient } = mail;
  const { orderTicketGroupId } = order;
  const sentAt = clock.now();
  await writeTry(tx, mail, { state: 'SENT', sentAt, triedAt: sentAt, lastError: '' });
  if (kind.bringsTickets) {
    await tx.orderTicketGroup.update({ where: { orderTicketGroupId }, data: { isEmailSent: true } });
  }
  const message = `The ${kind.name} was sent to ${recipient}.`;
  await writeOrderLog(tx, order, { type: 'email', title: 'Email Sent', message, at: sentAt });
}

async function giveUp({ clock }: Needs, tx: TicketingTransaction, { order, recipient }: QueuedMail, kind: MailKind) {
  const now = clock.now();
  const title = 'Email Not Delivered';
  const message = `The ${kind.name} of ${order.orderNo} could not be delivered to ${recipient}.`;
  await writeOrderLog(tx, order, { type: 'email', title, message, at: now });
  const { organizationId, workspaceId } = order;
  const by = { performedBy: 'system', authorityLevel: 'system' };
  await notify(tx, { ...by, type: 'Order', title, message, at: now, organizationId, workspaceId });
}
