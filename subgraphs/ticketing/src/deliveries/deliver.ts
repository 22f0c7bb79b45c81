import type { Attempt } from '@foyer/shared/jobs/jobs';
import { MailRefused, messageIdOf, type Mail } from '@foyer/shared/mail/mailer';
import type { Delivery, OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import { stampOf } from '../units/calendar.ts';
import type { House } from '../context.ts';
import { notify } from '../notifications/notify.ts';
import { writeLog } from '../orders/write-order-log.ts';

type Needs = Pick<House, 'db' | 'clock' | 'mailer' | 'settings'>;
type OwedMail = Delivery & { order: OrderTicketGroup };

/** A kind of letter, and how it is written. */
export interface Letter {
  /** `confirmation with the tickets`, as the story of the order names it. */
  name: string;
  /** Whether the buyer then has the tickets. */
  bringsTickets: boolean;
  write(order: OrderTicketGroup): Promise<Pick<Mail, 'subject' | 'text' | 'html' | 'attachments'>>;
}

/** Longer than the mail server may be silent, shorter than a try of the job may take. */
const LONGEST_MS = 110_000;

/**
 * Hands a mail that is owed to the mail server, and writes down that it was; when nobody will try again,
 * tells staff. The row of the mail is held meanwhile: of two that try at once, one does, and a process
 * that dies lets go of it. What SMTP can't promise: a process that dies after the mail server took the
 * mail, and before that is written down, sends it again, under the same Message-ID.
 *
 * @throws {Error} what the mail server said, when the job is to be tried again
 */
export async function deliver(
  needs: Needs,
  { deliveryId }: { deliveryId: string },
  attempt: Pick<Attempt, 'last'>,
  letter: Letter,
): Promise<void> {
  // A failure is written down too: it leaves the transaction as a value.
  const failure = await needs.db.$transaction(
    async (tx): Promise<unknown> => {
      const owed = await holdOwed(tx, BigInt(deliveryId));
      if (!owed) return null;
      try {
        await handOver(needs, owed, letter);
      } catch (error) {
        const isOver = error instanceof MailRefused || attempt.last;
        const lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
        await writeTry(tx, owed, { triedAt: needs.clock.now(), lastError, ...(isOver && { state: 'DEAD' }) });
        if (!isOver) return error;
        await giveUp(needs, tx, owed, letter);
        return null;
      }
      await markSent(needs, tx, owed, letter);
      return null;
    },
    { timeout: LONGEST_MS, maxWait: 10_000 },
  );
  if (failure) throw failure;
}

/** @returns null when it is settled, or when somebody else is sending it at this moment */
async function holdOwed(tx: TicketingTransaction, deliveryId: bigint): Promise<OwedMail | null> {
  const held = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM ticketing.delivery WHERE delivery_id = ${deliveryId} AND state = 'QUEUED' FOR UPDATE SKIP LOCKED`;
  return held.length > 0 ? tx.delivery.findUnique({ where: { deliveryId }, include: { order: true } }) : null;
}

async function handOver({ mailer, settings }: Needs, { order, recipient, messageId }: OwedMail, letter: Letter) {
  const mail = await letter.write(order);
  await mailer.send({ ...mail, to: recipient, messageId: messageIdOf(messageId, settings.mailFrom) });
}

const writeTry = (
  tx: TicketingTransaction,
  { deliveryId }: OwedMail,
  data: Partial<Pick<Delivery, 'state' | 'lastError' | 'triedAt' | 'sentAt'>>,
) => tx.delivery.update({ where: { deliveryId }, data: { ...data, attempts: { increment: 1 } } });

async function markSent({ clock }: Needs, tx: TicketingTransaction, owed: OwedMail, letter: Letter) {
  const { order, recipient } = owed;
  const { orderTicketGroupId } = order;
  const sentAt = clock.now();
  await writeTry(tx, owed, { state: 'SENT', sentAt, triedAt: sentAt, lastError: '' });
  if (letter.bringsTickets) {
    await tx.orderTicketGroup.update({ where: { orderTicketGroupId }, data: { isEmailSent: true } });
  }
  const message = `The ${letter.name} was sent to ${recipient}.`;
  await writeLog(tx, order, { type: 'email', title: 'Email Sent', message, at: sentAt });
}

async function giveUp({ clock }: Needs, tx: TicketingTransaction, { order, recipient }: OwedMail, letter: Letter) {
  const now = clock.now();
  const title = 'Email Not Delivered';
  const message = `The ${letter.name} of ${order.orderNo} could not be delivered to ${recipient}.`;
  await writeLog(tx, order, { type: 'email', title, message, at: now });
  const { organizationId, workspaceId } = order;
  await notify(tx, 'system', 'system', 'Order', title, message, stampOf(now), { organizationId, workspaceId });
}
