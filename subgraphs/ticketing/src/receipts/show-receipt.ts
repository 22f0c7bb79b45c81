import type { Context } from '../context.ts';
import type { OrderInView } from '../orders/order.ts';
import { callerOf } from './caller.ts';
import { hasTickets } from '../orders/order.ts';
import { renderReceipt } from './render-receipt.ts';

type Needs = Pick<Context, 'db' | 'receiptPrinter' | 'viewer' | 'client'>;

/** Returns the receipt of an order as a file in JSON; null when there is none, or the viewer may not see it. */
export async function showReceipt(needs: Needs, { orderNo, transactionStatus, seenBy }: OrderInView) {
  if (seenBy === 'public' || !hasTickets(transactionStatus)) return null;
  const { filename, pdf } = await renderReceipt(needs, orderNo, callerOf(needs.viewer, needs.client.address));
  return { filename, contentType: 'application/pdf', base64: Buffer.from(pdf).toString('base64') };
}
