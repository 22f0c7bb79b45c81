import { badInput } from '@foyer/shared/errors';
import { changeSignal, readChanges } from '@foyer/shared/events/changes';

import { isDay } from '../units/calendar.ts';
import { topics } from '../topics.ts';
import type { Context } from '../context.ts';
import type { DayAvailability } from '../catalogue/availability.ts';
import { findTicketGroup } from './find-ticket-groups.ts';
import { MOST_DAYS } from './read-availability.ts';

type Needs = Pick<Context, 'db' | 'dayReader' | 'events' | 'signal'>;

/**
 * Yields these days, and then those that have changed: by orders, by released capacity or by staff, in whichever process,
 * or by the clock, when sales for a day end and when a day begins.
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`; `VALIDATION_FAILED` unless 1 to 92 days are given
 */
export async function watchAvailability(
  needs: Needs,
  { ticketGroupId, dates }: { ticketGroupId: string; dates: readonly string[] },
): Promise<AsyncIterableIterator<DayAvailability[]>> {
  const days = [...new Set(dates)].toSorted();
  if (days.length < 1 || days.length > MOST_DAYS || !days.every(isDay)) {
    throw badInput([{ path: 'dates', message: `must be 1 to ${MOST_DAYS} days` }]);
  }
  const id = String((await findTicketGroup(needs, ticketGroupId)).ticketGroupId);
  const concerns = new Set([`${id}/`, ...days.map((day) => `${id}/${day}`)]);
  const changes = changeSignal(needs.signal);
  changes.onEnd(
    needs.events.subscribe(topics.days, (what) => (what === null || concerns.has(what)) && changes.notify()),
  );

  const told = new Map<string, string>();
  let alarm: NodeJS.Timeout | undefined;
  changes.onEnd(() => clearTimeout(alarm));
  const read = async () => {
    const readDays = told.size === 0 ? needs.dayReader.first : needs.dayReader.changed;
    const { days: current, turnInMs } = await readDays(id, days);
    clearTimeout(alarm);
    if (!changes.ended()) alarm = setTimeout(changes.notify, turnInMs);
    const changed = current.filter((day) => told.get(day.date) !== JSON.stringify(day));
    for (const day of changed) told.set(day.date, JSON.stringify(day));
    return changed.length > 0 ? [changed] : [];
  };
  return readChanges({ changes, read });
}
