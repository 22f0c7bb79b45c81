// Days are YYYY-MM-DD and months YYYY-MM, in Malaysian time.

const MALAYSIA_MS = 8 * 3_600_000;
const DAY_MS = 24 * 3_600_000;

const today = (): string => new Date(Date.now() + MALAYSIA_MS).toISOString().slice(0, 10);
export const monthOf = (day: string): string => day.slice(0, 7);
const daysAfter = (day: string, count: number) => new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

/** The month so many months after another, or before it. */
export function monthsAfter(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

export function daysOf(month: string): string[] {
  const first = `${month}-01`;
  const count = (Date.parse(`${monthsAfter(month, 1)}-01`) - Date.parse(first)) / DAY_MS;
  return Array.from({ length: count }, (_, index) => daysAfter(first, index));
}

/** 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: string): number => new Date(day).getUTCDay() || 7;

/** The first and the last day that may be ordered. */
export function daysOnSale(group: {
  activeStartDate: string | null;
  activeEndDate: string | null;
  maxAdvanceDays: number;
}): [first: string, last: string] {
  const farthest = daysAfter(today(), group.maxAdvanceDays);
  const { activeStartDate: start, activeEndDate: end } = group;
  return [start && start > today() ? start : today(), end && end < farthest ? end : farthest];
}
