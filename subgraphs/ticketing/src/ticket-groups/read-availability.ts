import type { TicketGroup } from '@foyer/prisma/client';
import { badInput } from '@foyer/shared/errors';

import { dateColumn, dayColumn, daysAfter } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { availabilityOf, kindsOn } from '../catalogue/availability.ts';

/** The longest range of days in one request. */
export const MOST_DAYS = 92;

/**
 * Lists the availability of a group, day by day.
 *
 * @throws {Refusal} `VALIDATION_FAILED` for more than 92 days, or when `from` is after `to`
 */
export async function readAvailability(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  group: TicketGroup,
  { from, to }: { from: string; to: string },
) {
  if (from > to || daysAfter(from, MOST_DAYS) <= to) {
    throw badInput([{ path: 'to', message: `must be from 0 to ${MOST_DAYS - 1} days after \`from\`` }]);
  }
  const { ticketGroupId } = group;
  const on = { gte: dateColumn(from), lte: dateColumn(to) };
  const [days, variants] = await Promise.all([
    db.dailyCapacity.findMany({ where: { ticketGroupId, admitDate: on } }),
    db.ticketVariant.findMany(kindsOn(ticketGroupId, on)),
  ]);
  const known = new Map(days.map((day) => [dayColumn(day.admitDate), day]));
  const now = clock.now();
  const dates: string[] = [];
  for (let date = from; date <= to; date = daysAfter(date, 1)) dates.push(date);
  return dates.map((date) => availabilityOf({ ...group, variants }, date, known.get(date) ?? null, now));
}
