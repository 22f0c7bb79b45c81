import type { OrderTicketGroup } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { queueConfirmation } from '../deliveries/queue-confirmation.ts';
import { notify } from '../notifications/notify.ts';
import { issueTickets } from '../tickets/issue-tickets.ts';
import { writeOrderLog } from '../orders/write-order-log.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'jobs' | 'ticketSigner'>;

/** Confirms an order that costs nothing: it becomes FREE, with its tickets and its mail. Repeating it changes nothing. */
export async function confirmFreeOrder(needs: Needs, { orderTicketGroupId, orderNo }: OrderTicketGroup) {
  const now = needs.clock.now();
  return needs.db.$transaction(async (tx) => {
    const { count } = await tx.orderTicketGroup.updateMany({
      where: { orderTicketGroupId, transactionStatus: 'INITIATED', totalAmountSen: 0n },
      data: { transactionStatus: 'FREE', holdExpiresAt: null, version: { increment: 1 } },
    });
    const order = await tx.orderTicketGroup.findUniqueOrThrow({ where: { orderTicketGroupId } });
    if (count === 1) {
      await issueTickets(needs, tx, orderTicketGroupId);
      await queueConfirmation(needs, tx, orderTicketGroupId);
      await writeOrderLog(tx, order, { type: 'order', title: 'Free order confirmed', message: orderNo, at: now });
      const { organizationId, workspaceId, buyerName } = order;
      await notify(tx, {
        performedBy: buyerName,
        authorityLevel: 'CUSTOMER',
        type: 'Order',
        title: 'Free order',
        message: `${buyerName} placed the free order ${orderNo}.`,
        at: now,
        organizationId,
        workspaceId,
      });
    }
    return order;
  });
}
