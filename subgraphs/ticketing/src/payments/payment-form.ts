import type { OrderTicketGroup } from '@foyer/prisma/client';

import { senOf } from '../units/money.ts';
import { modeOf } from '../orders/order.ts';
import { formMismatch } from './refusals.ts';

type Sent = string | null | undefined;

/** What a browser may send beside the order number. */
export interface SentForm {
  billId?: Sent;
  productId?: Sent;
  transactionId?: Sent;
  totalAmount?: number | null | undefined;
  currency?: Sent;
  buyerName?: Sent;
  buyerEmail?: Sent;
  productDesc?: Sent;
}

/** How the form says which banks it goes to. */
export interface SentMode {
  mode?: Sent;
  msgToken?: Sent;
}

/** A text as two clients may write it alike: empty counts as absent. */
export const readText = (text: Sent): string | null => text?.normalize('NFC').trim() || null;

const asWritten = (text: string) => text;
const inAnyCase = (text: string) => text.toLowerCase();

const texts = {
  billId: asWritten,
  productId: asWritten,
  transactionId: inAnyCase,
  currency: inAnyCase,
  buyerName: asWritten,
  buyerEmail: inAnyCase,
  productDesc: asWritten,
} as const;

/**
 * Whether an edited form tries to pay something else than the order. Both sides are read alike; what the form leaves
 * empty, it does not say.
 *
 * @throws {Refusal} `FORM_MISMATCH`
 */
export function checkForm(order: OrderTicketGroup, sent: SentForm): void {
  for (const field of Object.keys(texts) as (keyof typeof texts)[]) {
    const said = readText(sent[field]);
    const alike = texts[field];
    if (said !== null && alike(said) !== alike(readText(order[field]) ?? '')) throw formMismatch(order, field);
  }
  const amount = sent.totalAmount;
  if (amount !== null && amount !== undefined && senOf(amount) !== order.totalAmountSen)
    throw formMismatch(order, 'totalAmount');
}

/**
 * Whose banks the form goes to: `mode` is the choice; `msgToken` may be no more than what the order was answered with,
 * and counts where no mode is sent. Without either it is the order's.
 *
 * @throws {Refusal} `FORM_MISMATCH` for what is no mode
 */
export function chooseMode(
  order: Pick<OrderTicketGroup, 'msgToken' | 'langChosen'>,
  { mode, msgToken }: SentMode,
): '01' | '02' {
  const [chosen, repeated] = [readText(mode), readText(msgToken)];
  const read = modeOf(chosen ?? repeated ?? order.msgToken);
  if (!read) throw formMismatch(order, chosen ? 'mode' : 'msgToken');
  return read;
}
