import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import type { Clock } from '@foyer/shared/clock';
import { serialId } from '@foyer/shared/ids';
import { setImmediate as endOfThisTurn, setTimeout as pause } from 'node:timers/promises';

import { dateColumn, dayColumn, dayOf, endOf, momentOf } from '../units/calendar.ts';
import { availabilityOf, kindsOn, type DayAvailability } from './availability.ts';
import { ticketGroupNotFound } from './refusals.ts';

/** Reads days of a group for its subscribers; throws `TICKET_GROUP_NOT_FOUND` when the group is no longer on offer. */
export interface DayReader {
  /** For a new subscriber, who waits for it. */
  first: ReadDays;
  /** After a change. */
  changed: ReadDays;
}

type ReadDays = (ticketGroupId: string, days: readonly string[]) => Promise<ReadOfDays>;

interface Needs {
  db: TicketingDatabase;
  clock: Clock;
}

interface ReadOfDays {
  days: DayAvailability[];
  /** After this time, the clock alone may have changed them. */
  turnInMs: number;
}

/** How long the same days are not read again. A busy day changes with every commit, and nobody reads a calendar faster. */
const PAUSES_MS = { first: 10, changed: 100 };

/** Opens the reader of days: new subscribers of the same days share reads, and so do those who wait for a change. */
export const openDayReader = (needs: Needs): DayReader => ({
  first: shareReads(needs, PAUSES_MS.first),
  changed: shareReads(needs, PAUSES_MS.changed),
});

/**
 * Shares reads among all calls for the same days: the first call is read at once, and those that follow together, after the
 * pause. A read begins after the calls that it answers, so that no result is older than its call.
 */
function shareReads(needs: Needs, pauseMs: number): ReadDays {
  const waiting = new Map<string, Promise<ReadOfDays>>();
  /** By days that were just read: the time until they may be read again. */
  const pauses = new Map<string, Promise<void>>();

  async function readNext(key: string, ticketGroupId: string, days: readonly string[]) {
    await (pauses.get(key) ?? endOfThisTurn());
    waiting.delete(key);
    pauses.set(
      key,
      pause(pauseMs).then(() => void pauses.delete(key)),
    );
    return readDays(needs, ticketGroupId, days);
  }
  return (ticketGroupId, days) => {
    const key = [ticketGroupId, ...days].join('/');
    const together = waiting.get(key) ?? readNext(key, ticketGroupId, days);
    waiting.set(key, together);
    return together;
  };
}

async function readDays({ db, clock }: Needs, ticketGroupId: string, days: readonly string[]) {
  const id = serialId(ticketGroupId) ?? -1n;
  const on = { in: days.map(dateColumn) };
  // Before the group: of one that is removed meanwhile, no day is closed because its kinds of admission went first.
  const variants = await db.ticketVariant.findMany(kindsOn(id, on));
  const group = await db.ticketGroup.findFirst({
    where: { ticketGroupId: id, isActive: true },
    include: { dailyCapacities: { where: { admitDate: on } } },
  });
  if (!group) throw ticketGroupNotFound();
  const known = new Map(group.dailyCapacities.map((day) => [dayColumn(day.admitDate), day]));
  const now = clock.now();
  return {
    days: days.map((date) => availabilityOf({ ...group, variants }, date, known.get(date) ?? null, now)),
    turnInMs: msUntilTurn(group.salesCutoff, now),
  };
}

/** Computes when the clock changes a day next: when sales for today end, or else at midnight. */
function msUntilTurn(salesCutoff: string | null, now: Date): number {
  const today = dayOf(now);
  const cutoff = salesCutoff ? momentOf(today, salesCutoff) : now;
  return (cutoff > now ? cutoff : endOf(today)).getTime() - now.getTime();
}
