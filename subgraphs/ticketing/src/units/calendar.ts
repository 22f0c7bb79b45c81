import { DateTime } from 'luxon';
import { LRUCache } from 'lru-cache';

/** Buyers order and visit in Malaysian time. */
const ZONE = 'Asia/Kuala_Lumpur';

/** Offsets from UTC are multiples of a quarter of an hour, so that no day begins within one. */
const QUARTER_MS = 15 * 60_000;
const dayOfQuarter = new LRUCache<number, string>({
  max: 1_000,
  memoMethod: (quarter) => DateTime.fromMillis(quarter * QUARTER_MS, { zone: ZONE }).toISODate() ?? '',
});

/** @returns the day of a moment, as YYYY-MM-DD */
export const dayOf = (moment: Date): string => dayOfQuarter.memo(Math.floor(moment.getTime() / QUARTER_MS));

/** @returns the time of a moment, as HH:mm */
export const timeOf = (moment: Date): string => DateTime.fromJSDate(moment, { zone: ZONE }).toFormat('HH:mm');

/** The first day of Malaysia begins in the year 0 of UTC, which PostgreSQL does not have. */
const FIRST_MOMENT = new Date('0001-01-01T00:00:00Z');

/** @returns the moment at which a day begins */
export function startOf(day: string): Date {
  const moment = DateTime.fromISO(day, { zone: ZONE }).toJSDate();
  return moment < FIRST_MOMENT ? FIRST_MOMENT : moment;
}

/** RFC 3339 has no later one. */
const LAST_MOMENT = new Date('9999-12-31T23:59:59.999Z');

/** @returns a stored moment as clients can read it: one after the year 9999, which is read as no date, would fail their whole list */
export const readable = (moment: Date): string => (moment <= LAST_MOMENT ? moment : LAST_MOMENT).toISOString();

/** @returns the moment of a time (HH:mm) on a day */
export const momentOf = (day: string, time: string): Date =>
  DateTime.fromISO(`${day}T${time}`, { zone: ZONE }).toJSDate();

/** @returns the moment at which the day after begins */
export const endOf = (day: string): Date => DateTime.fromISO(day, { zone: ZONE }).plus({ days: 1 }).toJSDate();

/** Days of a calendar without a zone are UTC days, which all have the same length. */
const DAY_MS = 86_400_000;

/** @returns 1 for Monday to 7 for Sunday */
export const weekdayOf = (day: string): number => dateColumn(day).getUTCDay() || 7;

/** @returns the day so many days after another */
export const daysAfter = (day: string, count: number): string =>
  dayColumn(new Date(dateColumn(day).getTime() + count * DAY_MS));

/** Most orders are for a few days. */
const exists = new LRUCache<string, boolean>({
  max: 1_000,
  memoMethod: (day) => DateTime.fromISO(day, { zone: 'utc' }).isValid,
});

/** Whether a text is an existing day, as YYYY-MM-DD. PostgreSQL has no year 0. */
export const isDay = (text: string): boolean => /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) && exists.memo(text);

/** A day as the database keeps it: its UTC midnight. */
export const dateColumn = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** @returns YYYY-MM-DD of a day as the database keeps it */
export const dayColumn = (date: Date): string => date.toISOString().slice(0, 10);

/** @returns DD-MM-YYYY HH:mm:ss, the format of notifications */
export const stampOf = (moment: Date): string =>
  DateTime.fromJSDate(moment, { zone: ZONE }).toFormat('dd-MM-yyyy HH:mm:ss');

/** @returns yyyyMMddHHmmss, as the payment gateway reads it */
export const gatewayStamp = (moment: Date): string =>
  DateTime.fromJSDate(moment, { zone: ZONE }).toFormat('yyyyMMddHHmmss');

/** @returns RFC 3339 with +08:00, as the payment gateway writes it */
export const gatewayMoment = (moment: Date): string =>
  DateTime.fromJSDate(moment, { zone: ZONE }).toISO({ suppressMilliseconds: true }) ?? '';

/** @returns null when the text is not a timestamp of the payment gateway */
export function momentOfStamp(stamp: string): Date | null {
  const moment = DateTime.fromFormat(stamp, 'yyyyMMddHHmmss', { zone: ZONE });
  return moment.isValid ? moment.toJSDate() : null;
}
