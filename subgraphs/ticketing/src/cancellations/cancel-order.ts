import type { Context } from '../context.ts';
import { findOrder } from '../orders/find-order.ts';
import type { OrderInView } from '../orders/order.ts';
import { orderNotFound } from '../orders/refusals.ts';
import { mayManage, performerFor } from '../orders/staff.ts';
import { writeOrderLog } from '../orders/write-order-log.ts';
import { failOrder } from '../settlement/fail-order.ts';
import { notCancellable } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'client' | 'limits' | 'db' | 'clock' | 'permissions'>;

/**
 * Cancels an order whose payment has not begun, and releases its places. Allowed to the buyer, to anyone who knows the
 * number and the e-mail, and to staff who hold `orders:manage`. One that is FAILED already, for whatever reason, is
 * returned as it is.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`, `ORDER_NOT_CANCELLABLE`, `RATE_LIMITED`
 */
export async function cancelOrder(
  needs: Needs,
  names: { orderNo: string; email?: string | null | undefined },
): Promise<OrderInView> {
  const order = await findOrder(needs, names);
  if (!(await mayManage(needs, order))) throw orderNotFound();

  const { orderTicketGroupId, seenBy } = order;
  return needs.db.$transaction(async (tx) => {
    // A form locks the order before it makes it PENDING: whichever comes second finds what the first has made of it.
    const unchanged = { transactionStatus: 'INITIATED', reviewReason: null } as const;
    if (await failOrder(tx, order, { bankCurrentStatus: 'CANCELLED', holdExpiresAt: null }, unchanged)) {
      await writeOrderLog(tx, order, {
        type: 'order',
        title: 'Cancelled',
        message: 'Before the payment began',
        performedBy: performerFor(needs, order),
        at: needs.clock.now(),
      });
    }
    const now = await tx.orderTicketGroup.findUniqueOrThrow({ where: { orderTicketGroupId } });
    if (now.transactionStatus !== 'FAILED') throw notCancellable(now.transactionStatus);
    return { ...now, seenBy };
  });
}
