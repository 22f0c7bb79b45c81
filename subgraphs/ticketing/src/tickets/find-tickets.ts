import type { Context } from '../context.ts';
import type { OrderInView } from '../orders/order.ts';

/** Lists the tickets of an order, line by line; none for viewers who only know its number, because a code is a ticket. */
export async function findTickets({ db }: Pick<Context, 'db'>, { orderTicketGroupId, seenBy }: OrderInView) {
  if (seenBy === 'public') return [];
  return db.ticket.findMany({
    where: { orderTicketGroupId },
    orderBy: [{ orderTicketInfoId: 'asc' }, { serial: 'asc' }],
  });
}
