import type { OrderTicketGroup } from '@foyer/prisma/client';

import { dayColumn, endOf, startOf } from '../units/calendar.ts';
import type { Settings } from '../context.ts';

const minutes = (count: number) => count * 60_000;

/**
 * Computes until when an order is held while the buyer has only got the form: half an hour, for a company not past the
 * beginning of the day of admission. On that day itself a company has as long as an individual.
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
 * Computes the same when another form follows: counted from the first form, by the mode of the last one.
 *
 * @param sentAt when the buyer was first sent to the bank
 * @returns the deadline that the order has already when the new mode would leave no time
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
 * Computes until when a company's order is held: three days, because a company needs two signatures, but not past the
 * beginning of the day of admission.
 *
 * @param reachedAt when the payment first reached the bank
 * @returns null on the day of admission, when the deadline of the form stays
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

/** Whether the day of admission is over, so that tickets for it would be worth nothing. */
export const isDayOver = ({ admitDate }: Pick<OrderTicketGroup, 'admitDate'>, now: Date): boolean =>
  endOf(dayColumn(admitDate)) <= now;

const NOT_KNOWN_TIMES = 3;
const NOT_KNOWN_MINUTES = 10;

/**
 * Whether a buyer who was sent to the bank never reached it.
 *
 * @param sentAt when they were last sent there
 * @param notKnown how often the bank has answered since that it knows no such payment
 */
export const isUnreached = ({ sentAt, notKnown }: { sentAt: Date; notKnown: number }, now: Date): boolean =>
  notKnown >= NOT_KNOWN_TIMES && now.getTime() - sentAt.getTime() >= minutes(NOT_KNOWN_MINUTES);

const EXTENSION_MINUTES = 10;
const EXTENSION_MOST_MINUTES = 180;

/**
 * Computes by how much to extend an order while the gateway, which may have the money, does not answer.
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
  // A company's order for a day that has begun had only as long as an individual's in the first place.
  const most = msgToken === '02' && left > 0 ? left / minutes(1) : EXTENSION_MINUTES;
  return Math.min(EXTENSION_MINUTES, Math.ceil(most));
}

const HOUR_SECONDS = 3_600;
/** The least time between two queries, however late they are. */
const PAUSE_SECONDS = 60;

/**
 * Computes when to query the gateway again.
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

type Undecided = Pick<OrderTicketGroup, 'transactionStatus' | 'bankCurrentStatus' | 'reviewReason' | 'holdExpiresAt'>;

/** Failed orders that no payment can come for. */
const overForGood: readonly string[] = ['CANCELLED', 'REFUNDED'];

/** Whether the gateway may know more of an order than its status says: it is pending, expired, or was rejected once. */
export const isUndecided = ({ transactionStatus, bankCurrentStatus, reviewReason }: Undecided): boolean =>
  !reviewReason &&
  (transactionStatus === 'PENDING' ||
    (transactionStatus === 'FAILED' && !overForGood.includes(bankCurrentStatus ?? '')));

/**
 * Whether scheduled queries go on: also after the order expired, or one of its forms was rejected while others may still be
 * paid, for as long as a company's bank may take, and one more day.
 */
export function isWorthRequerying(
  order: Undecided,
  { pendingCorporateHours }: Pick<Settings, 'pendingCorporateHours'>,
  now: Date,
): boolean {
  if (!isUndecided(order) || order.transactionStatus === 'PENDING') return isUndecided(order);
  if (!order.holdExpiresAt) return false;
  const most = minutes((pendingCorporateHours + ASK_EXPIRED_HOURS) * 60);
  return now.getTime() - order.holdExpiresAt.getTime() < most;
}
