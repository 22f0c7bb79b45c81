import type { OrderTicketGroup, Prisma, ReviewReason } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { PaymentClaims } from '#ports/payment-gateway.ts';

import { stampOf } from '../units/calendar.ts';
import type { House } from '../context.ts';
import { askForConfirmation } from '../deliveries/ask-for-confirmation.ts';
import { askForRefundNotice } from '../deliveries/ask-for-refund-notice.ts';
import { ringgitText } from '../units/money.ts';
import { notify } from '../notifications/notify.ts';
import { writeLog } from '../orders/write-order-log.ts';
import { issueTickets } from '../tickets/issue-tickets.ts';
import { releaseCapacity, retakeCapacity } from '../capacity/release-capacity.ts';
import { holdForCompany } from './hold-for-company.ts';
import { releaseUnlessReached } from './release-unreached.ts';
import type { Verdict } from './verdict.ts';

type Needs = Pick<House, 'jobs' | 'ticketSigner' | 'settings'>;

interface Case {
  order: OrderTicketGroup;
  claims: PaymentClaims;
  verdict: Verdict;
  now: Date;
}

type Outcome = 'SUCCEEDED' | 'FAILED' | 'WAITING' | 'UNCHANGED' | 'REVIEW';

/** Does what was judged, in the caller's transaction, which holds the order. */
export async function applyVerdict(needs: Needs, tx: TicketingTransaction, it: Case): Promise<Outcome> {
  switch (it.verdict.do) {
    case 'succeed':
      return succeed(needs, tx, it, 'Payment received');
    case 'succeed-late':
      return (await retakeCapacity(tx, it.order))
        ? succeed(needs, tx, it, 'Late payment accepted')
        : oweRefund(needs, tx, it);
    case 'fail':
      return fail(tx, it);
    case 'wait':
      await change(tx, it.order, {
        transactionStatus: 'PENDING',
        bankCurrentStatus: statusOf(it.claims),
        ...(await holdForCompany(needs, tx, it)),
      });
      return 'WAITING';
    case 'not-known':
      return (await releaseUnlessReached(tx, it)) ? 'FAILED' : 'UNCHANGED';
    case 'review':
      return review(tx, it, it.verdict.reason);
    default:
      return 'UNCHANGED';
  }
}

async function succeed(needs: Needs, tx: TicketingTransaction, it: Case, title: string): Promise<Outcome> {
  const { order, claims, now } = it;
  const { bankCode, bankName, gatewayTransactionId } = claims;
  await change(tx, order, {
    bankCode,
    bankName,
    gatewayTransactionId,
    transactionStatus: 'SUCCESS',
    bankCurrentStatus: statusOf(claims),
    paidAt: claims.paidAt ?? now,
    holdExpiresAt: null,
  });
  await issueTickets(needs, tx, order.orderTicketGroupId);
  await askForConfirmation(needs, tx, order.orderTicketGroupId);
  const amount = `RM ${ringgitText(claims.amountSen)}`;
  await writeLog(tx, order, { type: 'payment', title, message: `${amount}, ${gatewayTransactionId}`, at: now });
  const said = `${order.buyerName} paid ${amount} for order ${order.orderNo}.`;
  await tell(tx, it, 'CUSTOMER', 'Order paid', said);
  return 'SUCCEEDED';
}

async function fail(tx: TicketingTransaction, { order, claims, now }: Case): Promise<Outcome> {
  await change(tx, order, { transactionStatus: 'FAILED', bankCurrentStatus: statusOf(claims), holdExpiresAt: null });
  await releaseCapacity(tx, order);
  await writeLog(tx, order, { type: 'payment', title: 'Payment rejected', message: statusOf(claims), at: now });
  return 'FAILED';
}

const reviews: Record<ReviewReason, string> = {
  AMOUNT_MISMATCH: 'the bank reports another amount',
  DOUBLE_PAYMENT: 'it was paid a second time',
  REFUND_DUE: 'it was paid after its tickets were given back, and none are left',
};

async function review(tx: TicketingTransaction, it: Case, reason: ReviewReason): Promise<Outcome> {
  const { order, claims, now } = it;
  await change(tx, order, { reviewReason: reason, reviewResolvedAt: null });
  const message = `${claims.currency} ${ringgitText(claims.amountSen)}, ${claims.gatewayTransactionId}`;
  await writeLog(tx, order, { type: 'payment', title: `Review: ${reviews[reason]}`, message, at: now });
  const said = `Order ${order.orderNo} needs a person: ${reviews[reason]}.`;
  await tell(tx, it, 'system', 'Payment to be reviewed', said);
  return 'REVIEW';
}

async function oweRefund(needs: Needs, tx: TicketingTransaction, it: Case): Promise<Outcome> {
  await askForRefundNotice(needs, tx, it.order);
  return review(tx, it, 'REFUND_DUE');
}

const tell = (tx: TicketingTransaction, { order, now }: Case, level: string, title: string, message: string) => {
  const { organizationId, workspaceId } = order;
  const by = level === 'system' ? 'system' : order.buyerName;
  return notify(tx, by, level, 'Order', title, message, stampOf(now), { organizationId, workspaceId });
};

const change = (
  tx: TicketingTransaction,
  { orderTicketGroupId }: OrderTicketGroup,
  data: Prisma.OrderTicketGroupUpdateInput,
) => tx.orderTicketGroup.update({ where: { orderTicketGroupId }, data: { ...data, version: { increment: 1 } } });

const statusOf = ({ statusCode, statusMessage }: PaymentClaims) => `${statusCode} ${statusMessage}`.trim();
