import type { OrderTicketGroup, OrderTicketInfo, TransactionStatus } from '@foyer/prisma/client';

/** Through whose eyes an order is shown: `public` is someone who only knows a number. */
export type Eyes = 'public' | 'buyer' | 'staff';

/** An order, and through whose eyes it is shown. */
export type OrderInView = OrderTicketGroup & { seenBy: Eyes };
export type OrderItemInView = OrderTicketInfo & { seenBy: Eyes };

/** No status follows but by hand. */
export const isSettled = (status: TransactionStatus): boolean =>
  status === 'SUCCESS' || status === 'FREE' || status === 'FAILED';

/** Whether a text can be an order number at all; what can't is not asked of the database. */
export const isOrderNo = (text: string): boolean => /^[\w-]{1,64}$/.test(text);

/**
 * The names of an order without what nobody can guess: either opens the receipt with its tickets.
 * `ORD-20261121-E3DY3Q36H9HYZ` → `ORD-20261121-***`
 */
export const maskNames = ({ orderNo, transactionId }: Pick<OrderTicketGroup, 'orderNo' | 'transactionId'>) => ({
  orderNo: orderNo.replace(/[^-]*$/, '***'),
  transactionId: transactionId.replace(/-.*$/, '-***'),
});

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const ORDER_NO_RANDOM_BYTES = 13;

/**
 * Writes an order number: a capability, so nobody can guess one (65 random bits).
 *
 * @param day YYYY-MM-DD, in Malaysian time
 * @param random thirteen random bytes
 */
export const orderNo = (day: string, random: Uint8Array): string =>
  `ORD-${day.replaceAll('-', '')}-${Array.from(random, (byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;

/** @returns 01 individual, 02 corporate; null for anything else; none said is individual */
export function modeOf(text: string | null | undefined): '01' | '02' | null {
  if (!text || text === '01' || text.toLowerCase() === 'individual') return '01';
  return text === '02' || text.toLowerCase() === 'corporate' ? '02' : null;
}
