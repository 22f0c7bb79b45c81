import type { Delivery, OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';
import { serialId } from '@foyer/shared/ids';
import { readInput } from '@foyer/shared/read-input';
import { requireStaff } from '@foyer/shared/auth/viewer';
import { z } from 'zod';

import type { Context } from '../context.ts';
import { holds, performerOf } from '../orders/staff.ts';
import { writeOrderLog } from '../orders/write-order-log.ts';
import { emailAddress } from '../units/email-address.ts';
import { jobOfMail } from './job-of-mail.ts';
import type { MailOfOrder } from './list-mails.ts';
import { mailNotDead, mailNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'permissions' | 'jobs'>;

const Recipient = z.object({
  recipient: z.string().trim().pipe(emailAddress).nullable(),
});

/**
 * Sends a mail that was given up once more, to the same address or a corrected one, which the order then keeps for
 * later mails. Of many requests at the same time, one sends it.
 *
 * @throws {Refusal} `MAIL_NOT_FOUND`, `MAIL_NOT_DEAD`, `VALIDATION_FAILED`
 */
export async function sendMailAgain(
  needs: Needs,
  { deliveryId, recipient }: { deliveryId: string; recipient?: string | null | undefined },
): Promise<MailOfOrder> {
  const staff = requireStaff(needs.viewer);
  const mail = await findMail(needs, deliveryId);
  if (!mail || !(await holds(needs, staff, mail.order, 'orders:manage'))) throw mailNotFound();
  const { recipient: corrected } = readInput(Recipient, { recipient: recipient ?? null });

  return needs.db.$transaction(async (tx) => {
    const { count } = await tx.delivery.updateMany({
      where: { deliveryId: mail.deliveryId, state: 'DEAD' },
      data: {
        state: 'QUEUED',
        createdAt: needs.clock.now(),
        triedAt: null,
        ...(corrected && { recipient: corrected }),
      },
    });
    if (count === 0) throw mailNotDead();
    await needs.jobs.enqueue(jobOfMail[mail.kind], { deliveryId: String(mail.deliveryId) }, { within: tx });
    if (corrected) await keepAddress(tx, mail.order, corrected);
    await writeOrderLog(tx, mail.order, {
      type: 'email',
      title: 'Mail sent again',
      message: messageOf(mail, corrected),
      performedBy: performerOf(staff),
      at: needs.clock.now(),
    });
    return tx.delivery.findUniqueOrThrow({ where: { deliveryId: mail.deliveryId }, include: { order: true } });
  });
}

async function findMail({ db }: Needs, deliveryId: string): Promise<MailOfOrder | null> {
  const id = serialId(deliveryId);
  return id ? db.delivery.findUnique({ where: { deliveryId: id }, include: { order: true } }) : null;
}

const keepAddress = (tx: TicketingTransaction, { orderTicketGroupId }: OrderTicketGroup, buyerEmail: string) =>
  tx.orderTicketGroup.update({
    where: { orderTicketGroupId },
    data: { buyerEmail, version: { increment: 1 } },
  });

const messageOf = ({ recipient }: Delivery, corrected: string | null) =>
  corrected && corrected !== recipient
    ? `The mail for ${recipient} is sent to ${corrected} instead.`
    : `The mail is sent to ${recipient} once more.`;
