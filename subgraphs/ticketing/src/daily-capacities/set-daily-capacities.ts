import type { TicketGroup } from '@foyer/prisma/client';
import { badInput } from '@foyer/shared/errors';

import { dateColumn, dayColumn, dayOf } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import { findManagedTicketGroup } from '../ticket-groups/find-managed-ticket-group.ts';
import { daysOf, readDayInput, type ManagedDay } from './daily-capacity.ts';
import { daysIn } from './list-daily-capacities.ts';
import { capacityBelowReserved, ticketGroupNotFound } from '../catalogue/refusals.ts';

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

  await write(needs, group, dates, { capacity, closed });
  return daysIn(needs, group, { from, to });
}

interface Wanted extends Pick<ManagedDay, 'closed'> {
  /** Null: the default of the group; a closed day that has a row keeps the capacity of it. */
  capacity: number | null;
}

/** Writes all days in one statement, which skips every day with more reserved than the new capacity. */
async function write(
  { db }: Needs,
  { ticketGroupId }: TicketGroup,
  dates: readonly string[],
  { capacity: wanted, closed }: Wanted,
): Promise<void> {
  const [keepsCapacity, overridden] = [closed && wanted === null, closed || wanted !== null];
  await db.$transaction(async (tx) => {
    // The group before its days, and as whoever is changing or deleting it at this moment leaves it.
    const [group] = await tx.$queryRaw<{ usual: number }[]>`
      SELECT daily_capacity AS usual FROM ticketing.ticket_group WHERE ticket_group_id = ${ticketGroupId} FOR SHARE`;
    if (!group) throw ticketGroupNotFound();
    const capacity = wanted ?? group.usual;
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
