import type { OrderTicketGroup, Prisma, TransactionStatus } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { PaymentClaims } from '#ports/payment-gateway.ts';

import type { Services } from '../context.ts';
import { lockOrder } from '../orders/lock-order.ts';
import { isUnderReview } from '../orders/order.ts';
import { applyVerdict } from './apply-verdict.ts';
import { judge } from './verdict.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log' | 'ticketSigner' | 'settings'>;

/** Longer than Prisma's defaults, because many copies of one message wait for each other. In milliseconds. */
const TIMEOUTS = { maxWait: 10_000, timeout: 15_000 };

export interface Settled {
  orderNo: string;
  transactionStatus: TransactionStatus;
  /** Staff must review it. */
  underReview: boolean;
}

/**
 * Handles the gateway's message about a payment exactly once, however often and by whomever it is delivered. The order,
 * the event, the tickets and the mail are written in one transaction, so a process that dies leaves all or none.
 *
 * @returns null when the message is about no known order, or contradicts the order it names
 */
export async function settlePayment(
  needs: Needs,
  claims: PaymentClaims,
  source: 'return' | 'requery',
): Promise<Settled | null> {
  const order = await needs.db.$transaction((tx) => settleWithin(needs, tx, claims, source), TIMEOUTS);
  if (!order) {
    needs.log.warn({ orderNo: claims.orderNo, jti: claims.jti, source }, 'payment message contradicts its order');
    return null;
  }
  const { orderNo, transactionStatus } = order;
  return { orderNo, transactionStatus, underReview: isUnderReview(order) };
}

async function settleWithin(
  needs: Needs,
  tx: TicketingTransaction,
  claims: PaymentClaims,
  source: 'return' | 'requery',
): Promise<OrderTicketGroup | null> {
  const order = await lockOrder(tx, claims.orderNo);
  if (!order) return null;
  const { orderTicketGroupId } = order;
  const verdict = judge(order, claims);
  if (verdict.do === 'distrust') return null;
  const now = needs.clock.now();
  // Two copies of one payment differ in their jti, but it is put under review once.
  const isRepeatedReview = await wasReviewed(tx, orderTicketGroupId, claims);
  if (!(await writeDown(tx, { orderTicketGroupId, claims, source, now })) || isRepeatedReview) return order;

  const outcome = await applyVerdict(needs, tx, { order, claims, verdict, now });
  await tx.paymentEvent.update({ where: { jti: claims.jti }, data: { outcome } });
  return tx.orderTicketGroup.findUniqueOrThrow({ where: { orderTicketGroupId } });
}

interface Received {
  orderTicketGroupId: bigint;
  claims: PaymentClaims;
  source: 'return' | 'requery';
  now: Date;
}

/** @returns false when this message was recorded before: each jti counts once */
async function writeDown(
  tx: TicketingTransaction,
  { orderTicketGroupId, claims, source, now }: Received,
): Promise<boolean> {
  const { jti, orderNo, gatewayTransactionId, statusCode, amountSen, currency, raw } = claims;
  const event = { jti, orderNo, gatewayTransactionId, statusCode, amountSen, currency, orderTicketGroupId, source };
  const { count } = await tx.paymentEvent.createMany({
    data: [{ ...event, claims: raw as Prisma.InputJsonObject, outcome: 'UNCHANGED', receivedAt: now }],
    skipDuplicates: true,
  });
  return count === 1;
}

const wasReviewed = async (
  tx: TicketingTransaction,
  orderTicketGroupId: bigint,
  { gatewayTransactionId, statusCode, amountSen, currency }: PaymentClaims,
) => {
  const where = { orderTicketGroupId, gatewayTransactionId, statusCode, amountSen, currency, outcome: 'REVIEW' };
  return (await tx.paymentEvent.count({ where })) > 0;
};
