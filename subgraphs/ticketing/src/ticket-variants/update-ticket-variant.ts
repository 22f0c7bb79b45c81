import type { TicketVariant } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';
import { serialId } from '@foyer/shared/ids';
import { requireStaff } from '@foyer/shared/auth/viewer';

import { dateColumn, dayColumn, dayOf } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { capacityBelowReserved } from '../catalogue/refusals.ts';
import { mayCatalogue } from '../ticket-groups/find-managed-ticket-group.ts';
import { lockDays } from './lock-days.ts';
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

/** Applies the variant's own capacity to the days from today on, also to those that sold it without one. */
async function limitDays(tx: TicketingTransaction, variant: TicketVariant, today: Date): Promise<void> {
  const { ticketVariantId, dailyCapacity } = variant;
  const days = { ticketVariantId, admitDate: { gte: today } };
  if (dailyCapacity === null) {
    await tx.variantDailyCapacity.deleteMany({ where: days });
    return;
  }
  await countSold(tx, variant, today);
  await tx.$executeRaw`
    UPDATE ticketing.variant_daily_capacity SET capacity = ${dailyCapacity}
    WHERE ticket_variant_id = ${ticketVariantId} AND admit_date >= ${today} AND reserved <= ${dailyCapacity}`;
  const left = await tx.variantDailyCapacity.findFirst({
    where: { ...days, reserved: { gt: dailyCapacity } },
    orderBy: { admitDate: 'asc' },
  });
  if (left) throw capacityBelowReserved(dayColumn(left.admitDate), left.reserved);
}

/** Counts what was sold on the days that have no row of the variant yet. Orders that have failed take no place. */
async function countSold(tx: TicketingTransaction, variant: TicketVariant, today: Date): Promise<void> {
  const { ticketVariantId, ticketGroupId, dailyCapacity } = variant;
  const uncounted = await tx.$queryRaw<{ day: Date }[]>`
    SELECT admit_date AS day FROM ticketing.daily_capacity d WHERE ticket_group_id = ${ticketGroupId} AND admit_date >= ${today}
      AND NOT EXISTS (
        SELECT 1 FROM ticketing.variant_daily_capacity c
        WHERE c.ticket_variant_id = ${ticketVariantId} AND c.admit_date = d.admit_date
      )`;
  if (uncounted.length === 0) return; // nobody can buy the group while its orders are read
  await tx.$executeRaw`
    INSERT INTO ticketing.variant_daily_capacity (ticket_variant_id, admit_date, capacity, reserved)
    SELECT ${ticketVariantId}, day, greatest(${dailyCapacity}, sold), sold
    FROM unnest(${uncounted.map(({ day }) => dayColumn(day))}::date[]) day CROSS JOIN LATERAL (
      SELECT coalesce(sum(i.quantity_bought), 0)::int AS sold
      FROM ticketing.order_ticket_group o JOIN ticketing.order_ticket_info i USING (order_ticket_group_id)
      WHERE o.ticket_group_id = ${ticketGroupId} AND o.admit_date = day AND o.transaction_status <> 'FAILED'
        AND i.ticket_variant_id = ${ticketVariantId}
    ) counted`;
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
