import type { TicketGroup } from '@foyer/prisma/client';
import { isUniqueViolation } from '@foyer/shared/database-errors';

import { dateColumn, dayColumn, dayOf } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { capacityBelowReserved } from '../catalogue/refusals.ts';
import { withImage } from '../images/with-image.ts';
import { findManagedTicketGroup } from './find-managed-ticket-group.ts';
import { slugTaken, ticketGroupNotFound } from '../catalogue/refusals.ts';
import { drawUpTicketGroup } from './ticket-group.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'permissions' | 'mediaDirectory'>;

/**
 * Replaces a ticket group. A new capacity applies from today on, to the days that staff have not set by hand.
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`, `VALIDATION_FAILED`, `SLUG_TAKEN`, `CAPACITY_BELOW_RESERVED`,
 *   `MEDIA_NOT_FOUND`
 */
export async function updateTicketGroup(
  needs: Needs,
  { ticketGroupId: id, input }: { ticketGroupId: string; input: unknown },
): Promise<TicketGroup> {
  const before = await findManagedTicketGroup(needs, id);
  const { ticketGroupId } = before;
  const data = await withImage(needs, drawUpTicketGroup(input), before);
  const today = dateColumn(dayOf(needs.clock.now()));

  return needs.db.$transaction(async (tx) => {
    const [updated] = await tx.ticketGroup.updateManyAndReturn({ where: { ticketGroupId }, data }).catch((error) => {
      throw isUniqueViolation(error) ? slugTaken() : error;
    });
    if (!updated) throw ticketGroupNotFound(); // somebody has just deleted it
    // Only where the reserved places still fit, so that no order can come in between.
    await tx.$executeRaw`
      UPDATE ticketing.daily_capacity SET capacity = ${data.dailyCapacity}
      WHERE ticket_group_id = ${ticketGroupId} AND admit_date >= ${today} AND NOT overridden
        AND capacity <> ${data.dailyCapacity} AND reserved <= ${data.dailyCapacity}`;
    const left = await tx.dailyCapacity.findFirst({
      where: {
        ticketGroupId,
        admitDate: { gte: today },
        overridden: false,
        reserved: { gt: data.dailyCapacity },
      },
      orderBy: { admitDate: 'asc' },
    });
    if (left) throw capacityBelowReserved(dayColumn(left.admitDate), left.reserved);
    return updated;
  });
}
