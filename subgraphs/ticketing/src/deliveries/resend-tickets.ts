import type { Delivery, OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Context } from '../context.ts';
import { resendTicketsJob } from './send-again.ts';
import { rateLimited } from '../limits/refusals.ts';
import { hasTickets } from '../orders/order.ts';
import { orderNotSettled } from '../receipts/refusals.ts';
import { seeOrder } from '../orders/find-order.ts';
import type { OrderInView } from '../orders/order.ts';
import { orderNotFound } from '../orders/refusals.ts';
import { mayManage, performerFor } from '../orders/staff.ts';
import { writeOrderLog } from '../orders/write-order-log.ts';

type Needs = Pick<Context, 'viewer' | 'client' | 'limits' | 'db' | 'clock' | 'permissions' | 'jobs' | 'settings'>;

/** For one order, whoever requests it, so that nobody floods a mailbox with an order number that they know. */
const MOST_PER_HOUR = 3;
const HOUR_MS = 3_600_000;

/**
 * Mails the tickets once more, always to the buyer's own address. Allowed to the buyer, to anyone who knows the number
 * and the e-mail, and to staff who hold `orders:manage`. The state of the first mail does not change.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`, `ORDER_NOT_PAID`, `RATE_LIMITED`
 */
export async function resendTickets(
  needs: Needs,
  { orderNo, email }: { orderNo: string; email?: string | null | undefined },
): Promise<OrderInView> {
  await needs.limits.take('resends', needs.client.address);
  const order = await seeOrder(needs, { orderNo, email });
  if (!(await mayManage(needs, order))) throw orderNotFound();
  if (!hasTickets(order.transactionStatus)) throw orderNotSettled();

  await needs.db.$transaction(async (tx) => {
    const { deliveryId } = await recordResend(needs, tx, order);
    await needs.jobs.enqueue(resendTicketsJob, { deliveryId: String(deliveryId) }, { within: tx });
    const performedBy = performerFor(needs, order);
    const message = `The tickets are mailed to ${order.buyerEmail} once more.`;
    await writeOrderLog(tx, order, {
      type: 'email',
      title: 'Resend asked for',
      message,
      performedBy,
      at: needs.clock.now(),
    });
  });
  return order;
}

/** Records a resend under the lock of its order, so that requests at the same time count one after the other. */
async function recordResend({ clock }: Needs, tx: TicketingTransaction, order: OrderTicketGroup): Promise<Delivery> {
  const { orderTicketGroupId, orderNo, buyerEmail } = order;
  await tx.$queryRaw`
    SELECT 1 FROM ticketing.order_ticket_group WHERE order_ticket_group_id = ${orderTicketGroupId} FOR UPDATE`;
  const before = await tx.delivery.findMany({
    where: { orderTicketGroupId, kind: 'resend' },
    orderBy: { sequence: 'desc' },
    take: MOST_PER_HOUR,
  });
  const now = clock.now();
  const oldest = before.length < MOST_PER_HOUR ? undefined : before.at(-1);
  const waitMs = (oldest?.createdAt.getTime() ?? 0) + HOUR_MS - now.getTime();
  if (waitMs > 0) throw rateLimited(Math.ceil(waitMs / 1_000));

  const sequence = (before[0]?.sequence ?? 0) + 1;
  return tx.delivery.create({
    data: {
      orderTicketGroupId,
      sequence,
      kind: 'resend',
      recipient: buyerEmail,
      messageId: `resend.${sequence}.${orderNo}`,
      createdAt: now,
    },
  });
}
