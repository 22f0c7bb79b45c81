import type { Context } from '../context.ts';
import type { OrderInView } from '../orders/order.ts';

/** The admissions of an order, line by line; none for who only knows a number, because a code is a ticket. */
export async function findTickets({ db }: Pick<Context, 'db'>, { orderTicketGroupId, seenBy }: OrderInView) {
  if (seenBy === 'public') return [];
  return db.ticket.findMany({
    where: { orderTicketGroupId },
    orderBy: [{ orderTicketInfoId: 'asc' }, { serial: 'asc' }],
  });
}
