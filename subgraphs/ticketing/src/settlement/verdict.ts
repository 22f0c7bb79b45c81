import type { OrderTicketGroup } from '@foyer/prisma/client';

import type { PaymentClaims } from '#ports/payment-gateway.ts';

/** What a message of the gateway does to an order. */
export type Verdict =
  | { do: 'succeed' }
  /** Paid after the capacity was given back: good only if it can be had again. */
  | { do: 'succeed-late' }
  | { do: 'fail' }
  | { do: 'wait' }
  | { do: 'review'; reason: 'AMOUNT_MISMATCH' | 'DOUBLE_PAYMENT' }
  | { do: 'nothing' }
  /** The bank knows of no such payment: when it says so often enough, the places are given back. */
  | { do: 'not-known' }
  /** It speaks of another order than it names: nobody honest sends that. */
  | { do: 'distrust' };

type Order = Pick<
  OrderTicketGroup,
  'billId' | 'transactionId' | 'transactionStatus' | 'totalAmountSen' | 'currency' | 'gatewayTransactionId'
>;

const PAID = '00';
/** What a gateway says of a payment that it has never heard of. */
export const NOT_KNOWN = '76';
const UNDECIDED: readonly string[] = ['09', '99', 'AP'];

/** Decides what a message of the gateway does to an order, from nothing but the two (design: handling). */
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
  return UNDECIDED.includes(claims.statusCode) ? { do: 'wait' } : { do: 'fail' };
}
