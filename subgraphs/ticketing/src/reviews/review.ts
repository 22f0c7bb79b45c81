import type { OrderTicketGroup, PaymentEvent } from '@foyer/prisma/client';

import type { PaymentClaims } from '#ports/payment-gateway.ts';

/** The decision of staff about money that does not match its order. */
export type ReviewResolution = 'ACCEPTED' | 'REFUND_NOTED';

/** What a decision means for the order. */
export type Consequence =
  /** The order gets tickets from the capacity that it still holds. */
  | 'settle'
  /** The order gets tickets if its capacity can be taken again and its day is not over. */
  | 'settle-late'
  /** The order fails and its capacity is released. */
  | 'give-up'
  /** The order has failed before, and now says that its money goes back. */
  | 'say-refunded'
  /** The order stays as it is. */
  | 'nothing';

/** Decides what a resolution means for an order; only an order without a payment changes. */
export function consequenceOf(
  { transactionStatus, reviewReason }: Pick<OrderTicketGroup, 'transactionStatus' | 'reviewReason'>,
  resolution: ReviewResolution,
): Consequence {
  if (reviewReason === 'DOUBLE_PAYMENT') return 'nothing';
  const open = transactionStatus === 'INITIATED' || transactionStatus === 'PENDING';
  if (resolution === 'REFUND_NOTED') {
    if (open) return 'give-up';
    return transactionStatus === 'FAILED' ? 'say-refunded' : 'nothing';
  }
  if (open) return 'settle';
  return transactionStatus === 'FAILED' ? 'settle-late' : 'nothing';
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** The gateway's claims as the event recorded them. */
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
