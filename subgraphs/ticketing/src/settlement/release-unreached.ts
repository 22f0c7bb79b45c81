import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import { writeLog } from '../orders/write-order-log.ts';
import { releaseCapacity } from '../capacity/release-capacity.ts';
import { isUnreached } from './deadline.ts';
import { NOT_KNOWN } from './verdict.ts';

/**
 * Gives the places of an order back whose buyer never reached the bank. The caller's transaction holds the order, so that
 * a payment or another form comes before or after, and finds the order as it then is. Money that comes later is a late
 * payment like that of any other expired order, and the bank is asked about it for days.
 *
 * @returns whether they were given back
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

  await tx.orderTicketGroup.update({
    where: { orderTicketGroupId },
    data: {
      transactionStatus: 'FAILED',
      bankCurrentStatus: 'EXPIRED',
      holdExpiresAt: now,
      version: { increment: 1 },
    },
  });
  await releaseCapacity(tx, order);
  await writeLog(tx, order, { type: 'order', title: 'Expired', message: 'The buyer never reached the bank', at: now });
  return true;
}
