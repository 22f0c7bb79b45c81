import type { Notification, OrderTicketGroup, Prisma, TransactionStatus } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { PaymentClaims } from '#ports/payment-gateway.ts';

import type { House } from '../context.ts';
import { applyVerdict } from './apply-verdict.ts';
import { judge } from './settlement.ts';

type Needs = Pick<House, 'db' | 'clock' | 'events' | 'jobs' | 'log' | 'ticketSigner'>;

export interface Settled {
  orderNo: string;
  transactionStatus: TransactionStatus;
  /** It asks for a person. */
  underReview: boolean;
}

/** What a transaction changed, to be told once it is committed. */
interface Change {
  order: OrderTicketGroup;
  before: TransactionStatus;
  notification: Notification | null;
}

/**
 * Acts on what the gateway said of a payment: once, whoever brings it and how often. One transaction holds
 * the order, the event, the tickets and the mail, so that a process that dies leaves all of them or none.
 *
 * @returns null when it is about no order of ours, or contradicts the order it names
 */
export async function settlePayment(
  needs: Needs,
  claims: PaymentClaims,
  source: 'return' | 'requery',
): Promise<Settled | null> {
  const change = await needs.db.$transaction((tx) => settleWithin(needs, tx, claims, source));
  if (!change) {
    needs.log.warn({ orderNo: claims.orderNo, jti: claims.jti, source }, 'payment message contradicts its order');
    return null;
  }
  const { order, before, notification } = change;
  const { orderNo, transactionStatus } = order;
  if (transactionStatus !== before) await needs.events.publish('order.statusChanged', { orderNo, transactionStatus });
  if (notification) {
    const { organizationId } = notification;
    const notificationId = Number(notification.notificationId);
    await needs.events.publish('notification.added', { notificationId, organizationId });
  }
  return { orderNo, transactionStatus, underReview: order.reviewReason !== null };
}

async function settleWithin(
  needs: Needs,
  tx: TicketingTransaction,
  claims: PaymentClaims,
  source: 'return' | 'requery',
): Promise<Change | null> {
  const order = await lockOrder(tx, claims.orderNo);
  if (!order) return null;
  const unchanged = { order, before: order.transactionStatus, notification: null };
  // Under the lock: of two that bring the same message, the second finds the first's.
  if (await tx.paymentEvent.findUnique({ where: { jti: claims.jti } })) return unchanged;

  const verdict = judge(order, claims);
  if (verdict.do === 'distrust') return null;
  const { outcome, notification } = await applyVerdict(needs, tx, { order, claims, verdict, now: needs.clock.now() });
  const { jti, orderNo, gatewayTransactionId, statusCode, amountSen, currency } = claims;
  await tx.paymentEvent.create({
    data: {
      jti,
      orderNo,
      gatewayTransactionId,
      statusCode,
      amountSen,
      currency,
      source,
      outcome,
      orderTicketGroupId: order.orderTicketGroupId,
      claims: claims.raw as Prisma.InputJsonObject,
      receivedAt: needs.clock.now(),
    },
  });
  const { orderTicketGroupId } = order;
  const after = await tx.orderTicketGroup.findUniqueOrThrow({ where: { orderTicketGroupId } });
  return { order: after, before: order.transactionStatus, notification };
}

/** Holds the order for this transaction: whoever else changes it waits. */
async function lockOrder(tx: TicketingTransaction, orderNo: string): Promise<OrderTicketGroup | null> {
  await tx.$queryRaw`SELECT 1 FROM ticketing.order_ticket_group WHERE order_no = ${orderNo} FOR UPDATE`;
  return tx.orderTicketGroup.findUnique({ where: { orderNo } });
}
