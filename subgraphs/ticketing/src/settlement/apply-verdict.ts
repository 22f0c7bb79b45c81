import type { OrderTicketGroup, Prisma, ReviewReason } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { PaymentClaims } from '#ports/payment-gateway.ts';

import type { Services } from '../context.ts';
import { queueConfirmations } from '../deliveries/queue-confirmation.ts';
import { queueRefundNotice } from '../deliveries/queue-refund-notice.ts';
import { ringgitText } from '../units/money.ts';
import { notify } from '../notifications/notify.ts';
import { isUnderReview } from '../orders/order.ts';
import { writeOrderLog } from '../orders/write-order-log.ts';
import { issueTickets } from '../tickets/issue-tickets.ts';
import { retakeCapacity } from '../capacity/reservations.ts';
import { isDayOver } from './deadline.ts';
import { failOrder } from './fail-order.ts';
import { holdForCompany } from './hold-for-company.ts';
import { releaseUnlessReached } from './release-unreached.ts';
import type { Verdict } from './verdict.ts';

type Needs = Pick<Services, 'jobs' | 'ticketSigner' | 'settings'>;

interface Case {
  order: OrderTicketGroup;
  claims: PaymentClaims;
  verdict: Verdict;
  now: Date;
}

type Outcome = 'SUCCEEDED' | 'FAILED' | 'WAITING' | 'UNCHANGED' | 'REVIEW';

/** Carries a verdict out, in the caller's transaction, which has locked the order. */
export async function applyVerdict(needs: Needs, tx: TicketingTransaction, it: Case): Promise<Outcome> {
  switch (it.verdict.do) {
    case 'succeed':
      return isDayOver(it.order, it.now) ? missTheDay(needs, tx, it) : succeed(needs, tx, it, 'Payment received');
    case 'succeed-late':
      return !isDayOver(it.order, it.now) && (await retakeCapacity(tx, it.order))
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
  await issueTickets(needs, tx, [order.orderTicketGroupId]);
  await queueConfirmations(needs, tx, [order.orderTicketGroupId]);
  const amount = `RM ${ringgitText(claims.amountSen)}`;
  await writeOrderLog(tx, order, { type: 'payment', title, message: `${amount}, ${gatewayTransactionId}`, at: now });
  const paid = `${order.buyerName} paid ${amount} for order ${order.orderNo}.`;
  await notifyStaff(tx, it, 'CUSTOMER', 'Order paid', paid);
  return 'SUCCEEDED';
}

async function fail(tx: TicketingTransaction, { order, claims, now }: Case): Promise<Outcome> {
  const { orderTicketGroupId } = order;
  const forms = await tx.paymentAttempt.count({ where: { orderTicketGroupId } });
  // The buyer may still pay another form, so the bank is queried on, as about an order that expired now.
  const holdExpiresAt = forms > 1 ? now : null;
  await failOrder(tx, order, { bankCurrentStatus: statusOf(claims), holdExpiresAt });
  await writeOrderLog(tx, order, { type: 'payment', title: 'Payment rejected', message: statusOf(claims), at: now });
  return 'FAILED';
}

const reviews: Record<ReviewReason, string> = {
  AMOUNT_MISMATCH: 'the bank reports another amount',
  DOUBLE_PAYMENT: 'it was paid a second time',
  REFUND_DUE: 'it was paid too late to get tickets',
};

async function review(tx: TicketingTransaction, it: Case, reason: ReviewReason): Promise<Outcome> {
  const { order, claims, now } = it;
  // The open review stays as it is: staff learns of this one when it has ended that one, and by log and notification now.
  if (isUnderReview(order)) {
    await tx.paymentEvent.update({ where: { jti: claims.jti }, data: { waitingReview: reason } });
  } else await change(tx, order, { reviewReason: reason, reviewResolvedAt: null });
  const payment = `${claims.currency} ${ringgitText(claims.amountSen)}, ${claims.gatewayTransactionId}`;
  await writeOrderLog(tx, order, { type: 'payment', title: `Review: ${reviews[reason]}`, message: payment, at: now });
  const message = `Order ${order.orderNo} needs a person: ${reviews[reason]}.`;
  await notifyStaff(tx, it, 'system', 'Payment to be reviewed', message);
  return 'REVIEW';
}

/** The bank was heard of only when tickets were worth nothing any more: this server was away, or nobody queried it. */
async function missTheDay(needs: Needs, tx: TicketingTransaction, it: Case): Promise<Outcome> {
  await failOrder(tx, it.order, { bankCurrentStatus: 'EXPIRED' });
  return oweRefund(needs, tx, it);
}

async function oweRefund(needs: Needs, tx: TicketingTransaction, it: Case): Promise<Outcome> {
  await queueRefundNotice(needs, tx, it.order);
  return review(tx, it, 'REFUND_DUE');
}

const notifyStaff = (
  tx: TicketingTransaction,
  { order, now }: Case,
  authorityLevel: string,
  title: string,
  message: string,
) => {
  const { organizationId, workspaceId } = order;
  const performedBy = authorityLevel === 'system' ? 'system' : order.buyerName;
  return notify(tx, {
    performedBy,
    authorityLevel,
    type: 'Order',
    title,
    message,
    at: now,
    organizationId,
    workspaceId,
  });
};

const change = (
  tx: TicketingTransaction,
  { orderTicketGroupId }: OrderTicketGroup,
  data: Prisma.OrderTicketGroupUpdateInput,
) => tx.orderTicketGroup.update({ where: { orderTicketGroupId }, data: { ...data, version: { increment: 1 } } });

const statusOf = ({ statusCode, statusMessage }: PaymentClaims) => `${statusCode} ${statusMessage}`.trim();
