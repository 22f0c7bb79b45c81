import type { Context } from '../context.ts';
import { findManagedTicketGroup } from './find-managed-ticket-group.ts';
import { ticketGroupHasOrders, ticketGroupNotFound } from '../catalogue/refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Deletes a ticket group without orders, with its variants, its days and its places in rail menus. A group with orders
 * can only be taken off sale (`isActive: false`).
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`, `TICKET_GROUP_HAS_ORDERS`
 */
export async function deleteTicketGroup(needs: Needs, id: string): Promise<string> {
  const { ticketGroupId } = await findManagedTicketGroup(needs, id);
  await needs.db.$transaction(async (tx) => {
    // The group before its days, in the same order as `place_orders`, so that the two never deadlock: an order is either
    // found here, or finds no group.
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
