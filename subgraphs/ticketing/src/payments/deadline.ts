import type { OrderTicketGroup } from '@foyer/prisma/client';

import { dayColumn, startOf } from '../calendar.ts';
import type { Settings } from '../context.ts';

const minutes = (count: number) => count * 60_000;

/**
 * Until when the bank may decide: half an hour for people, three days for companies (which need two
 * signatures), but a company's not past the day of admission.
 */
export function paymentDeadline(
  { msgToken, admitDate }: Pick<OrderTicketGroup, 'msgToken' | 'admitDate'>,
  settings: Pick<Settings, 'pendingMinutes' | 'pendingCorporateHours'>,
  now: Date,
): Date {
  const soonest = now.getTime() + minutes(settings.pendingMinutes);
  if (msgToken === '01') return new Date(soonest);
  const latest = Math.min(
    now.getTime() + minutes(settings.pendingCorporateHours * 60),
    startOf(dayColumn(admitDate)).getTime(),
  );
  return new Date(Math.max(soonest, latest));
}

/** After how many minutes the gateway is asked what became of a payment; then each hour. */
const ROUNDS = [2, 5, 10, 15, 30];

/**
 * When to ask the gateway again.
 *
 * @param round 1 for the first time
 * @param startedAt when the buyer was sent to the bank
 */
export function nextRequery(round: number, startedAt: Date, now: Date): Date {
  const after = ROUNDS[round - 1] ?? 30 + (round - ROUNDS.length) * 60;
  return new Date(Math.max(startedAt.getTime() + minutes(after), now.getTime() + minutes(1)));
}

const ASK_EXPIRED_HOURS = 24;

/** Whether the gateway may still know something of an order that we do not: also for a day after it expired. */
export function isWorthAsking(
  order: Pick<OrderTicketGroup, 'transactionStatus' | 'bankCurrentStatus' | 'reviewReason' | 'holdExpiresAt'>,
  now: Date,
): boolean {
  if (order.reviewReason) return false;
  if (order.transactionStatus === 'PENDING') return true;
  const expired = order.transactionStatus === 'FAILED' && order.bankCurrentStatus === 'EXPIRED' && order.holdExpiresAt;
  return Boolean(expired && now.getTime() - expired.getTime() < minutes(ASK_EXPIRED_HOURS * 60));
}
