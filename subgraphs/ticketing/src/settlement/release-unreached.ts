import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import { writeOrderLog } from '../orders/write-order-log.ts';
import { isUnreached } from './deadline.ts';
import { failOrder } from './fail-order.ts';
import { NOT_KNOWN } from './verdict.ts';

/**
 * Fails an order whose buyer never reached the bank, and releases its capacity. The caller's transaction has locked the
 * order, so a payment or another form comes before or after it. Money that arrives later is a late payment, as for any
 * other expired order, and the gateway is queried about it for days.
 *
 * @returns whether the order was failed
 */
export async function releaseUnlessReached(
  tx: TicketingTransaction,
  { order, now }: { order: OrderTicketGroup; now: Date },
): Promise<boolean> {
  const { orderTicketGroupId } = order;
  const attempt = await tx.paymentAttempt.findFirst({
    where: { orderTicketGroupId },
    orderBy: { createdAt: 'desc' },
  });
  if (!attempt || order.reviewReason) return false;
  const sentAt = attempt.createdAt;
  const said = await tx.paymentEvent.findMany({ where: { orderTicketGroupId } });
  if (said.some(({ statusCode }) => statusCode !== NOT_KNOWN)) return false;
  const notKnown = said.filter(({ source, receivedAt }) => source === 'requery' && receivedAt >= sentAt).length;
  if (!isUnreached({ sentAt, notKnown }, now)) return false;

  await failOrder(tx, order, { bankCurrentStatus: 'EXPIRED', holdExpiresAt: now });
  await writeOrderLog(tx, order, {
    type: 'order',
    title: 'Expired',
    message: 'The buyer never reached the bank',
    at: now,
  });
  return true;
}
