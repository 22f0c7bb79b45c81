import type { OrderTicketGroup } from '@foyer/prisma/client';

import { stampOf } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { askForConfirmation } from '../deliveries/ask-for-confirmation.ts';
import { notify } from '../notifications/notify.ts';
import { issueTickets } from '../tickets/issue-tickets.ts';
import { writeLog } from '../orders/write-order-log.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'jobs' | 'ticketSigner'>;

/** Makes a placed order of nothing to pay FREE, with its tickets and its mail. Doing it again changes nothing. */
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
      await askForConfirmation(needs, tx, orderTicketGroupId);
      await writeLog(tx, order, { type: 'order', title: 'Free order confirmed', message: orderNo, at: now });
      const said = `${order.buyerName} placed the free order ${orderNo}.`;
      const { organizationId, workspaceId } = order;
      const about = { organizationId, workspaceId };
      await notify(tx, order.buyerName, 'CUSTOMER', 'Order', 'Free order', said, stampOf(now), about);
    }
    return order;
  });
}
