import type { OrderTicketGroup, Prisma } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import { releaseCapacity } from '../capacity/reservations.ts';

interface Failure {
  bankCurrentStatus: string;
  /** Left as it is when absent. */
  holdExpiresAt?: Date | null;
}

/**
 * Moves an order to FAILED and releases its capacity, in the caller's transaction. This is the only way to FAILED, so
 * that no order keeps or releases capacity twice.
 *
 * @param unchanged what the order must still be like; otherwise nothing happens
 * @returns whether the order is FAILED now
 */
export async function failOrder(
  tx: TicketingTransaction,
  order: Pick<OrderTicketGroup, 'orderTicketGroupId'>,
  failure: Failure,
  unchanged: Prisma.OrderTicketGroupWhereInput = {},
): Promise<boolean> {
  const { count } = await tx.orderTicketGroup.updateMany({
    where: { ...unchanged, orderTicketGroupId: order.orderTicketGroupId },
    data: { ...failure, transactionStatus: 'FAILED', version: { increment: 1 } },
  });
  if (count === 0) return false;
  await releaseCapacity(tx, order);
  return true;
}
