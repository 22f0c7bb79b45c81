import type { Prisma, TicketGroup } from '@foyer/prisma/client';

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

/** A kind of admission that is on sale. */
export interface Kind {
  /** Admissions of it per day; null is no limit of its own. */
  dailyCapacity: number | null;
  /** Its rows of days with a limit; absent until somebody orders for the day. */
  dailyCapacities: readonly { admitDate: Date; capacity: number; reserved: number }[];
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

/** Returns what the storefront's calendar shows for a day: closed, too, while no kind of admission is on sale. */
export function availabilityOf(
  group: Group & { variants: readonly Kind[] },
  date: string,
  day: Day | null,
  now: Date,
): DayAvailability {
  try {
    checkDay(group, date, day, now);
  } catch {
    return { date, status: 'CLOSED', remaining: null };
  }
  if (group.variants.length === 0) return { date, status: 'CLOSED', remaining: null };
  const ofGroup = day ? day.capacity - day.reserved : group.dailyCapacity;
  const left = Math.min(ofGroup, sumOf(group.variants.map((kind) => leftOf(kind, date))));
  if (left <= 0) return { date, status: 'SOLD_OUT', remaining: 0 };
  return { date, status: 'AVAILABLE', remaining: left <= FEW ? left : null };
}

function leftOf({ dailyCapacity, dailyCapacities }: Kind, date: string): number {
  const row = dailyCapacities.find(({ admitDate }) => dayColumn(admitDate) === date);
  if (row) return Math.max(0, row.capacity - row.reserved); // its capacity may have been reduced since
  return dailyCapacity ?? Number.POSITIVE_INFINITY;
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/** The query for what a group has on sale on these days. */
export const kindsOn = (ticketGroupId: bigint, days: Prisma.DateTimeFilter) =>
  ({
    where: { ticketGroupId, isActive: true },
    select: {
      dailyCapacity: true,
      dailyCapacities: { where: { admitDate: days }, select: { admitDate: true, capacity: true, reserved: true } },
    },
  }) satisfies Prisma.TicketVariantFindManyArgs;
