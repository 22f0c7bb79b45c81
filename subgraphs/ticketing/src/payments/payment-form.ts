import type { OrderTicketGroup } from '@foyer/prisma/client';

import { senOf } from '../units/money.ts';
import { modeOf } from '../orders/order.ts';
import { formMismatch } from './refusals.ts';

type Sent = string | null | undefined;

/** The fields that a browser may send besides the order number. */
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

/** The two fields by which a form chooses its banks. */
export interface SentMode {
  mode?: Sent;
  msgToken?: Sent;
}

/** Normalizes a text so that equal ones compare as equal; empty counts as absent. */
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
 * Refuses a form that was edited to pay something else than the order. Both sides are normalized alike, and empty fields
 * are not compared.
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
 * Chooses whose banks the form goes to: by `mode`, else by `msgToken`, which clients may only repeat from the order, else
 * by the order.
 *
 * @throws {Refusal} `FORM_MISMATCH` for an unknown mode
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
