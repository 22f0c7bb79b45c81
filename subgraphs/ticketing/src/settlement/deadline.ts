import type { OrderTicketGroup } from '@foyer/prisma/client';

import { dayColumn, startOf } from '../units/calendar.ts';
import type { Settings } from '../context.ts';

const minutes = (count: number) => count * 60_000;

/**
 * Until when the bank may decide, as long as the form is all that there is: half an hour, but a company's not past the
 * beginning of the day of admission. On that very day a company has the time that people have.
 */
export function formDeadline(
  { msgToken, admitDate }: Pick<OrderTicketGroup, 'msgToken' | 'admitDate'>,
  { pendingMinutes }: Pick<Settings, 'pendingMinutes'>,
  now: Date,
): Date {
  const admission = startOf(dayColumn(admitDate)).getTime();
  const halfAnHour = now.getTime() + minutes(pendingMinutes);
  return new Date(msgToken === '01' || admission <= now.getTime() ? halfAnHour : Math.min(halfAnHour, admission));
}

/**
 * The same when another form follows the first: counted from the first one, by the mode of the last one.
 *
 * @param sentAt when the buyer was sent to the bank for the first time
 * @returns what the order has already where the other mode would have no time left
 */
export function nextFormDeadline(
  order: Pick<OrderTicketGroup, 'msgToken' | 'admitDate' | 'holdExpiresAt'>,
  settings: Pick<Settings, 'pendingMinutes'>,
  { sentAt, now }: { sentAt: Date; now: Date },
): Date | null {
  const deadline = formDeadline(order, settings, sentAt);
  return deadline > now ? deadline : order.holdExpiresAt;
}

/**
 * Until when a company's bank may decide: three days (it needs two signatures), but not past the beginning of the day of
 * admission.
 *
 * @param reachedAt since when the bank knows of the payment
 * @returns null on the day of admission, when a company has no more time than its form gave it
 */
export function companyDeadline(
  { admitDate }: Pick<OrderTicketGroup, 'admitDate'>,
  { pendingCorporateHours }: Pick<Settings, 'pendingCorporateHours'>,
  reachedAt: Date,
): Date | null {
  const admission = startOf(dayColumn(admitDate)).getTime();
  if (admission <= reachedAt.getTime()) return null;
  return new Date(Math.min(reachedAt.getTime() + minutes(pendingCorporateHours * 60), admission));
}

const NOT_KNOWN_TIMES = 3;
const NOT_KNOWN_MINUTES = 10;

/**
 * Whether a buyer who was sent to the bank never got there.
 *
 * @param sentAt when they were sent there the last time
 * @param notKnown how often the bank has said since that it knows of no such payment
 */
export const isUnreached = ({ sentAt, notKnown }: { sentAt: Date; notKnown: number }, now: Date): boolean =>
  notKnown >= NOT_KNOWN_TIMES && now.getTime() - sentAt.getTime() >= minutes(NOT_KNOWN_MINUTES);

const EXTENSION_MINUTES = 10;
const EXTENSION_MOST_MINUTES = 180;

/**
 * How much longer an order waits for a gateway that does not answer and may hold the money.
 *
 * @returns in minutes; 0 when it has waited long enough
 */
export function extensionOf(
  {
    msgToken,
    admitDate,
    expiryExtendedMinutes,
  }: Pick<OrderTicketGroup, 'msgToken' | 'admitDate' | 'expiryExtendedMinutes'>,
  now: Date,
): number {
  if (expiryExtendedMinutes >= EXTENSION_MOST_MINUTES) return 0;
  const left = startOf(dayColumn(admitDate)).getTime() - now.getTime();
  // A company's order for a day that has begun was given no more than the time of people in the first place.
  const most = msgToken === '02' && left > 0 ? left / minutes(1) : EXTENSION_MINUTES;
  return Math.min(EXTENSION_MINUTES, Math.ceil(most));
}

const HOUR_SECONDS = 3_600;
/** However late we are: the gateway is not asked in a hurry. */
const PAUSE_SECONDS = 60;

/**
 * When to ask the gateway again.
 *
 * @param schedule seconds after `startedAt`; then each hour
 * @param round 1 for the first time
 * @param startedAt when the buyer was sent to the bank
 */
export function nextRequery(schedule: readonly number[], round: number, startedAt: Date, now: Date): Date {
  const after = schedule[round - 1] ?? (schedule.at(-1) ?? 0) + (round - schedule.length) * HOUR_SECONDS;
  const pause = Math.min(PAUSE_SECONDS, schedule[0] ?? PAUSE_SECONDS);
  return new Date(Math.max(startedAt.getTime() + after * 1_000, now.getTime() + pause * 1_000));
}

const ASK_EXPIRED_HOURS = 24;

type Asked = Pick<OrderTicketGroup, 'transactionStatus' | 'bankCurrentStatus' | 'reviewReason' | 'holdExpiresAt'>;

/** Whether the gateway can know something of an order that we do not: its payment is open, or it expired. */
export const isUndecided = ({ transactionStatus, bankCurrentStatus, reviewReason }: Asked): boolean =>
  !reviewReason &&
  (transactionStatus === 'PENDING' || (transactionStatus === 'FAILED' && bankCurrentStatus === 'EXPIRED'));

/**
 * Whether the gateway is still asked by itself: also after the order expired, for as long as a company's bank may take,
 * and another day.
 */
export function isWorthAsking(
  order: Asked,
  { pendingCorporateHours }: Pick<Settings, 'pendingCorporateHours'>,
  now: Date,
): boolean {
  if (!isUndecided(order) || order.transactionStatus === 'PENDING') return isUndecided(order);
  if (!order.holdExpiresAt) return false;
  const most = minutes((pendingCorporateHours + ASK_EXPIRED_HOURS) * 60);
  return now.getTime() - order.holdExpiresAt.getTime() < most;
}
