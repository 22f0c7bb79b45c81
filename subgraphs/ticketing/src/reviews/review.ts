import type { OrderTicketGroup, PaymentEvent } from '@foyer/prisma/client';

import type { PaymentClaims } from '#ports/payment-gateway.ts';

/** What a person decided about money that did not fit an order. */
export type ReviewResolution = 'ACCEPTED' | 'REFUND_NOTED';

/** What a decision does to the order. */
export type Consequence =
  /** Tickets for the money, from the capacity that the order still holds. */
  | 'settle'
  /** Tickets for the money, if the capacity can be had again. */
  | 'settle-late'
  /** No tickets: what the order holds is given back. */
  | 'give-up'
  /** The order stays as it is. */
  | 'nothing';

/** Decides what a resolution does: only money that an order still waits for makes a difference to it. */
export function consequenceOf(
  { transactionStatus, reviewReason }: Pick<OrderTicketGroup, 'transactionStatus' | 'reviewReason'>,
  resolution: ReviewResolution,
): Consequence {
  if (reviewReason === 'DOUBLE_PAYMENT') return 'nothing';
  const open = transactionStatus === 'INITIATED' || transactionStatus === 'PENDING';
  if (resolution === 'REFUND_NOTED') return open ? 'give-up' : 'nothing';
  if (open) return 'settle';
  return transactionStatus === 'FAILED' ? 'settle-late' : 'nothing';
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** What the gateway said, as it was kept. */
export function claimsOf(event: PaymentEvent, order: OrderTicketGroup): PaymentClaims {
  const raw = event.claims as Record<string, unknown>;
  const paidAt = new Date(text(raw['paidAt']));
  const { jti, orderNo, gatewayTransactionId, statusCode, amountSen, currency } = event;
  return {
    jti,
    orderNo,
    gatewayTransactionId,
    statusCode,
    amountSen,
    currency,
    raw,
    billId: order.billId,
    transactionId: order.transactionId,
    statusMessage: text(raw['statusMessage']),
    bankCode: text(raw['bankCode']),
    bankName: text(raw['bankName']),
    msgToken: text(raw['msgToken']),
    paidAt: Number.isNaN(paidAt.getTime()) ? null : paidAt,
  };
}
