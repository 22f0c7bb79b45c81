import type { OrderTicketGroup, OrderTicketInfo, Prisma, TransactionStatus } from '@foyer/prisma/client';

/** Who an order is shown to; `public` is anyone who only knows its number. */
export type Audience = 'public' | 'buyer' | 'staff';

/** An order, and who it is shown to. */
export type OrderInView = OrderTicketGroup & { seenBy: Audience };
export type OrderItemInView = OrderTicketInfo & { seenBy: Audience };

/** A page of orders. `where` selects the whole list, which is counted only when a client requests the total. */
export interface OrderPage {
  edges: { cursor: string; node: OrderInView }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  where: Prisma.OrderTicketGroupWhereInput;
}

/** Whether its tickets are issued. An order that failed may still be paid: the bank may report it days later. */
export const hasTickets = (status: TransactionStatus): boolean => status === 'SUCCESS' || status === 'FREE';

/** Whether staff must review its payment. */
export const isUnderReview = ({
  reviewReason,
  reviewResolvedAt,
}: Pick<OrderTicketGroup, 'reviewReason' | 'reviewResolvedAt'>): boolean =>
  reviewReason !== null && reviewResolvedAt === null;

/** Whether a text has the form of an order number, so that others need no query. */
export const isOrderNo = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

/**
 * Masks the two names of an order that nobody can guess, because either opens the receipt with its tickets.
 * `ORD-20261121-E3DY3Q36H9HYZ` → `ORD-20261121-***`
 */
export const maskNames = ({ orderNo, transactionId }: Pick<OrderTicketGroup, 'orderNo' | 'transactionId'>) => ({
  orderNo: orderNo.replace(/[^-]*$/, '***'),
  transactionId: transactionId.replace(/-.*$/, '-***'),
});

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const ORDER_NO_RANDOM_BYTES = 13;

/**
 * Makes an order number. It is a capability, so nobody may guess one: it has 65 random bits.
 *
 * @param day YYYY-MM-DD, in Malaysian time
 * @param random thirteen random bytes
 */
export const orderNo = (day: string, random: Uint8Array): string =>
  `ORD-${day.replaceAll('-', '')}-${Array.from(random, (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;

/** Whether a text is a whole order number, in small or capital letters. */
export const isWholeOrderNo = (text: string): boolean => /^ORD-\d{8}-[0-9A-Z]{13}$/i.test(text);

/**
 * Reads a payment mode; no mode is individual.
 *
 * @returns 01 individual, 02 corporate; null for anything else
 */
export function modeOf(text: string | null | undefined): '01' | '02' | null {
  if (!text || text === '01' || text.toLowerCase() === 'individual') return '01';
  return text === '02' || text.toLowerCase() === 'corporate' ? '02' : null;
}
