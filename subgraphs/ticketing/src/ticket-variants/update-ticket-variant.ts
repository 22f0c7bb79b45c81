import type { TicketVariant } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';
import { serialId } from '@foyer/shared/ids';
import { requireStaff } from '@foyer/shared/auth/viewer';

import { dateColumn, dayColumn, dayOf } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { capacityBelowReserved } from '../catalogue/refusals.ts';
import { mayCatalogue } from '../ticket-groups/find-managed-ticket-group.ts';
import { ticketVariantNotFound } from './refusals.ts';
import { drawUpVariant } from './ticket-variant.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'permissions'>;

/**
 * Replaces a ticket variant; `isActive: false` takes it off sale. A new price applies at once: an order at the old price
 * is refused with `PRICE_MISMATCH`.
 *
 * @throws {Refusal} `TICKET_VARIANT_NOT_FOUND`, `VALIDATION_FAILED`, `CAPACITY_BELOW_RESERVED`
 */
export async function updateTicketVariant(
  needs: Needs,
  { ticketVariantId: id, input }: { ticketVariantId: string; input: unknown },
): Promise<TicketVariant> {
  const { ticketVariantId, ticketGroupId } = await findManaged(needs, id);
  const data = drawUpVariant(input);
  const today = dateColumn(dayOf(needs.clock.now()));
  return needs.db.$transaction(async (tx) => {
    await lockDays(tx, ticketGroupId, today);
    const [updated] = await tx.ticketVariant.updateManyAndReturn({ where: { ticketVariantId }, data });
    if (!updated) throw ticketVariantNotFound(); // its group has just been removed
    await limitDays(tx, updated, today);
    return updated;
  });
}

/**
 * Locks the group before its days, as orders do: what was sold can be counted, because orders and released places come
 * before or after. The first order of a day, which has no row to lock, waits for the group.
 */
async function lockDays(tx: TicketingTransaction, ticketGroupId: bigint, today: Date): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM ticketing.ticket_group WHERE ticket_group_id = ${ticketGroupId} FOR NO KEY UPDATE`;
  await tx.$queryRaw`
    SELECT 1 FROM ticketing.daily_capacity WHERE ticket_group_id = ${ticketGroupId} AND admit_date >= ${today}
    ORDER BY admit_date FOR UPDATE`;
}

/** Applies the variant's own capacity to the days from today on, also to those that sold it without one. */
async function limitDays(tx: TicketingTransaction, variant: TicketVariant, today: Date): Promise<void> {
  const { ticketVariantId, ticketGroupId, dailyCapacity } = variant;
  const days = { ticketVariantId, admitDate: { gte: today } };
  if (dailyCapacity === null) {
    await tx.variantDailyCapacity.deleteMany({ where: days });
    return;
  }
  // Orders that have failed take no place, but may be paid late, and then need a row to be counted in.
  await tx.$executeRaw`
    INSERT INTO ticketing.variant_daily_capacity (ticket_variant_id, admit_date, capacity, reserved)
    SELECT ${ticketVariantId}, admit_date, greatest(${dailyCapacity}, sold), sold FROM (
      SELECT o.admit_date, coalesce(sum(i.quantity_bought) FILTER (WHERE o.transaction_status <> 'FAILED'), 0)::int AS sold
      FROM ticketing.order_ticket_group o JOIN ticketing.order_ticket_info i USING (order_ticket_group_id)
      WHERE o.ticket_group_id = ${ticketGroupId} AND o.admit_date >= ${today} AND i.ticket_variant_id = ${ticketVariantId}
      GROUP BY 1
    ) days ON CONFLICT DO NOTHING`;
  await tx.$executeRaw`
    UPDATE ticketing.variant_daily_capacity SET capacity = ${dailyCapacity}
    WHERE ticket_variant_id = ${ticketVariantId} AND admit_date >= ${today} AND reserved <= ${dailyCapacity}`;
  const left = await tx.variantDailyCapacity.findFirst({
    where: { ...days, reserved: { gt: dailyCapacity } },
    orderBy: { admitDate: 'asc' },
  });
  if (left) throw capacityBelowReserved(dayColumn(left.admitDate), left.reserved);
}

async function findManaged(needs: Needs, id: string) {
  requireStaff(needs.viewer);
  const found = await needs.db.ticketVariant.findUnique({
    where: { ticketVariantId: serialId(id) ?? -1n },
    include: { ticketGroup: true },
  });
  if (!found || !(await mayCatalogue(needs, found.ticketGroup, 'catalogue:manage'))) throw ticketVariantNotFound();
  return found;
}
