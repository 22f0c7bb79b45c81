import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

/** Locks an order until the end of the transaction; other changes to it wait. */
export async function lockOrder(tx: TicketingTransaction, orderNo: string): Promise<OrderTicketGroup | null> {
  await tx.$queryRaw`SELECT 1 FROM ticketing.order_ticket_group WHERE order_no = ${orderNo} FOR UPDATE`;
  return tx.orderTicketGroup.findUnique({ where: { orderNo } });
}
