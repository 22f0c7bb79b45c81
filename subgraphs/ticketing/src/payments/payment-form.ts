import type { OrderTicketGroup } from '@foyer/prisma/client';

import { senOf } from '../money.ts';
import { formMismatch } from './refusals.ts';

/** What a browser may send beside the order number. */
export interface SentForm {
  billId?: string | null | undefined;
  productId?: string | null | undefined;
  transactionId?: string | null | undefined;
  totalAmount?: number | null | undefined;
  currency?: string | null | undefined;
  msgToken?: string | null | undefined;
  buyerName?: string | null | undefined;
  buyerEmail?: string | null | undefined;
  productDesc?: string | null | undefined;
}

const texts = [
  'billId',
  'productId',
  'transactionId',
  'currency',
  'msgToken',
  'buyerName',
  'buyerEmail',
  'productDesc',
] as const;

/**
 * Whether an edited form tries to pay something else than the order.
 *
 * @throws {Refusal} `FORM_MISMATCH`
 */
export function checkForm(order: OrderTicketGroup, sent: SentForm): void {
  for (const field of texts) {
    const value = sent[field];
    if (value !== null && value !== undefined && value !== order[field]) throw formMismatch(order, field);
  }
  const amount = sent.totalAmount;
  if (amount !== null && amount !== undefined && senOf(amount) !== order.totalAmountSen)
    throw formMismatch(order, 'totalAmount');
}
