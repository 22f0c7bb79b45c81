import type { Context } from '../context.ts';
import { findManagedTicketGroup } from './find-managed-ticket-group.ts';
import { ticketGroupHasOrders, ticketGroupNotFound } from '../catalogue/refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Removes a ticket group that nobody ever ordered from, with its variants, its days and its places in rails.
 * What was ordered from is kept: take it off sale instead (`isActive: false`).
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`, `TICKET_GROUP_HAS_ORDERS`
 */
export async function deleteTicketGroup(needs: Needs, id: string): Promise<string> {
  const { ticketGroupId } = await findManagedTicketGroup(needs, id);
  await needs.db.$transaction(async (tx) => {
    // In the order in which `place_orders` takes them, the group before its days: the two never wait for each other
    // crosswise, and an order is either counted here, or finds nothing.
    await tx.$queryRaw`SELECT 1 FROM ticketing.ticket_group WHERE ticket_group_id = ${ticketGroupId} FOR UPDATE`;
    await tx.$queryRaw`SELECT 1 FROM ticketing.daily_capacity WHERE ticket_group_id = ${ticketGroupId} FOR UPDATE`;
    if (await tx.orderTicketGroup.findFirst({ where: { ticketGroupId } })) throw ticketGroupHasOrders();
    await tx.variantDailyCapacity.deleteMany({ where: { ticketVariant: { ticketGroupId } } });
    await tx.ticketVariant.deleteMany({ where: { ticketGroupId } });
    await tx.dailyCapacity.deleteMany({ where: { ticketGroupId } });
    const { count } = await tx.ticketGroup.deleteMany({ where: { ticketGroupId } });
    if (count === 0) throw ticketGroupNotFound();
  });
  return String(ticketGroupId);
}
