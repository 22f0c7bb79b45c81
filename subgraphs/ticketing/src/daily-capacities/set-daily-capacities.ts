import type { TicketGroup } from '@foyer/prisma/client';
import { badInput } from '@foyer/shared/errors';

import { dateColumn, dayColumn, dayOf } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { findManagedTicketGroup } from '../ticket-groups/find-managed-ticket-group.ts';
import { daysOf, readDayInput, type ManagedDay } from './daily-capacity.ts';
import { daysIn } from './list-daily-capacities.ts';
import { capacityBelowReserved } from '../catalogue/refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'permissions'>;

interface Args {
  ticketGroupId: string;
  from: string;
  to: string;
  input: unknown;
}

/**
 * Sets days by hand: another capacity, or closed. Without either they get the group's defaults again; a day that is only
 * closed keeps its capacity. Either all days are set or none. Tickets already sold for a closed day stay valid.
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`, `VALIDATION_FAILED`, also for days that have passed; `CAPACITY_BELOW_RESERVED`
 */
export async function setDailyCapacities(needs: Needs, { ticketGroupId: id, from, to, input }: Args) {
  const group = await findManagedTicketGroup(needs, id);
  const { capacity, closed } = readDayInput(input);
  const dates = daysOf({ from, to });
  if (from < dayOf(needs.clock.now())) throw badInput([{ path: 'from', message: 'must not have passed' }]);

  const wanted = { capacity: capacity ?? group.dailyCapacity, closed, overridden: capacity !== null || closed };
  await write(needs, group, dates, { ...wanted, keepsCapacity: closed && capacity === null });
  return daysIn(needs, group, { from, to });
}

interface Wanted extends Pick<ManagedDay, 'capacity' | 'closed' | 'overridden'> {
  /** A day that has a row keeps the capacity of it. */
  keepsCapacity: boolean;
}

/** Writes all days in one statement, which skips every day with more reserved than the new capacity. */
async function write(
  { db }: Needs,
  { ticketGroupId }: TicketGroup,
  dates: readonly string[],
  { capacity, closed, overridden, keepsCapacity }: Wanted,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const set = await tx.$executeRaw`
      INSERT INTO ticketing.daily_capacity AS d (ticket_group_id, admit_date, capacity, closed, overridden)
      SELECT ${ticketGroupId}, day, ${capacity}, ${closed}, ${overridden} FROM unnest(${dates}::date[]) day ORDER BY day
      ON CONFLICT (ticket_group_id, admit_date) DO UPDATE
        SET capacity = CASE WHEN ${keepsCapacity} THEN d.capacity ELSE excluded.capacity END,
          closed = excluded.closed, overridden = excluded.overridden
        WHERE ${keepsCapacity} OR d.reserved <= excluded.capacity`;
    if (set === dates.length) return;
    const over = await tx.dailyCapacity.findFirstOrThrow({
      where: { ticketGroupId, admitDate: { in: dates.map(dateColumn) }, reserved: { gt: capacity } },
      orderBy: { admitDate: 'asc' },
    });
    throw capacityBelowReserved(dayColumn(over.admitDate), over.reserved);
  });
}
