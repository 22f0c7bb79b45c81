import type { TicketGroup } from '@foyer/prisma/client';

import { daysAfter, dayColumn, dayOf, isDay, timeOf, weekdayOf } from '../units/calendar.ts';
import { dateClosed, invalidDate, notOnSale } from './refusals.ts';

type Group = Pick<
  TicketGroup,
  | 'isActive'
  | 'activeStartDate'
  | 'activeEndDate'
  | 'closedWeekdays'
  | 'salesCutoff'
  | 'maxAdvanceDays'
  | 'dailyCapacity'
>;

/** The row of one day; absent until somebody orders for it. */
export interface Day {
  capacity: number;
  reserved: number;
  closed: boolean;
}

export interface DayAvailability {
  date: string;
  status: 'AVAILABLE' | 'SOLD_OUT' | 'CLOSED';
  /** Shown only when few are left, so that sales figures stay private. */
  remaining: number | null;
}

const FEW = 20;

/**
 * Checks that a day can be ordered (design, "availability valid"), except for its capacity.
 *
 * @param admitDate the day of admission as the client wrote it
 * @throws {Refusal} `NOT_ON_SALE`, `INVALID_DATE` or `DATE_CLOSED`
 */
export function checkDay(group: Group, admitDate: string, day: Pick<Day, 'closed'> | null, now: Date): void {
  const today = dayOf(now);
  if (!group.isActive || !isOnSale(group, today)) throw notOnSale();
  if (!isDay(admitDate)) throw invalidDate('must be a day that exists, as YYYY-MM-DD');
  if (admitDate < today) throw invalidDate('has passed');
  if (admitDate === today && group.salesCutoff && timeOf(now) >= group.salesCutoff) {
    throw invalidDate('is today, and sales for today have ended');
  }
  if (admitDate > daysAfter(today, group.maxAdvanceDays)) throw invalidDate('is too far ahead');
  if (!isOnSale(group, admitDate)) throw invalidDate('is outside the days of admission');
  if (day?.closed || group.closedWeekdays.includes(weekdayOf(admitDate))) throw dateClosed();
}

const isOnSale = ({ activeStartDate, activeEndDate }: Group, day: string) =>
  (!activeStartDate || dayColumn(activeStartDate) <= day) && (!activeEndDate || day <= dayColumn(activeEndDate));

/** Returns what the storefront's calendar shows for a day. */
export function availabilityOf(group: Group, date: string, day: Day | null, now: Date): DayAvailability {
  try {
    checkDay(group, date, day, now);
  } catch {
    return { date, status: 'CLOSED', remaining: null };
  }
  const left = day ? day.capacity - day.reserved : group.dailyCapacity;
  if (left <= 0) return { date, status: 'SOLD_OUT', remaining: 0 };
  return { date, status: 'AVAILABLE', remaining: left <= FEW ? left : null };
}
