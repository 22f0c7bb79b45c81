import type { TicketGroup } from '@foyer/prisma/client';

import { dateColumn, dayColumn } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { findManagedTicketGroup } from '../ticket-groups/find-managed-ticket-group.ts';
import { daysOf, type ManagedDay } from './daily-capacity.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;
interface Range {
  from: string;
  to: string;
}

/**
 * Lists the capacity and the reserved places of a ticket group, day by day.
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`, `VALIDATION_FAILED`
 */
export async function listDailyCapacities(
  needs: Needs,
  { ticketGroupId, ...range }: Range & { ticketGroupId: string },
): Promise<ManagedDay[]> {
  return daysIn(needs, await findManagedTicketGroup(needs, ticketGroupId, 'catalogue:view'), range);
}

/** Lists the days of a range, each from its row or else from the group's defaults. */
export async function daysIn({ db }: Pick<Needs, 'db'>, group: TicketGroup, range: Range): Promise<ManagedDay[]> {
  const dates = daysOf(range);
  const { ticketGroupId, dailyCapacity } = group;
  const kept = await db.dailyCapacity.findMany({
    where: { ticketGroupId, admitDate: { gte: dateColumn(range.from), lte: dateColumn(range.to) } },
  });
  const byDate = new Map(kept.map((day) => [dayColumn(day.admitDate), day]));
  const asUsual = { capacity: dailyCapacity, reserved: 0, closed: false, overridden: false };
  return dates.map((date) => ({ ...asUsual, ...byDate.get(date), date }));
}
