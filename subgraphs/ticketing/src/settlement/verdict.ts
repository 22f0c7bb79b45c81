import type { OrderTicketGroup } from '@foyer/prisma/client';

import type { PaymentClaims } from '#ports/payment-gateway.ts';

import { isUnderReview } from '../orders/order.ts';

/** What a message of the gateway means for an order. */
export type Verdict =
  | { do: 'succeed' }
  /** Paid after the capacity was released: valid only if it can be taken again and the day is not over. */
  | { do: 'succeed-late' }
  | { do: 'fail' }
  | { do: 'wait' }
  | { do: 'review'; reason: 'AMOUNT_MISMATCH' | 'DOUBLE_PAYMENT' }
  | { do: 'nothing' }
  /** The bank knows no such payment: after several such answers the order fails. */
  | { do: 'not-known' }
  /** Its details belong to another order than it names, so it is forged. */
  | { do: 'distrust' };

type Order = Pick<
  OrderTicketGroup,
  | 'billId'
  | 'transactionId'
  | 'transactionStatus'
  | 'totalAmountSen'
  | 'currency'
  | 'gatewayTransactionId'
  | 'reviewReason'
  | 'reviewResolvedAt'
>;

const PAID = '00';
/** The gateway's status code for an unknown payment. */
export const NOT_KNOWN = '76';
const UNDECIDED: readonly string[] = ['09', '99', 'AP'];

/** Decides what a message of the gateway means for an order, from the two alone (design: handling). */
export function judge(order: Order, claims: PaymentClaims): Verdict {
  if (claims.statusCode === NOT_KNOWN) return { do: order.transactionStatus === 'PENDING' ? 'not-known' : 'nothing' };
  if (claims.billId !== order.billId || claims.transactionId !== order.transactionId) return { do: 'distrust' };
  const open = order.transactionStatus === 'INITIATED' || order.transactionStatus === 'PENDING';

  if (claims.statusCode === PAID) {
    const fits = claims.amountSen === order.totalAmountSen && claims.currency === order.currency;
    if (!fits) return { do: 'review', reason: 'AMOUNT_MISMATCH' };
    if (open) return { do: 'succeed' };
    if (order.transactionStatus === 'FAILED') return { do: 'succeed-late' };
    const again = claims.gatewayTransactionId !== order.gatewayTransactionId;
    return again ? { do: 'review', reason: 'DOUBLE_PAYMENT' } : { do: 'nothing' };
  }
  if (!open) return { do: 'nothing' };
  if (UNDECIDED.includes(claims.statusCode)) return { do: 'wait' };
  // Under review, money has come by another form: the order keeps its places until staff decide.
  return { do: isUnderReview(order) ? 'nothing' : 'fail' };
}
