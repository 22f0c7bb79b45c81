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
  const { ticketVariantId } = await findManaged(needs, id);
  const data = drawUpVariant(input);
  const today = dateColumn(dayOf(needs.clock.now()));
  return needs.db.$transaction(async (tx) => {
    const [updated] = await tx.ticketVariant.updateManyAndReturn({ where: { ticketVariantId }, data });
    if (!updated) throw ticketVariantNotFound(); // its group has just been removed
    await limitDays(tx, updated, today);
    return updated;
  });
}

/** Applies the variant's own capacity to the days from today on, where the reserved places fit. */
async function limitDays(tx: TicketingTransaction, variant: TicketVariant, today: Date): Promise<void> {
  const { ticketVariantId, dailyCapacity } = variant;
  const days = { ticketVariantId, admitDate: { gte: today } };
  if (dailyCapacity === null) {
    await tx.variantDailyCapacity.deleteMany({ where: days });
    return;
  }
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
