import type { Services } from '../context.ts';
import { hasTickets } from '../orders/order.ts';
import { orderNotFound } from '../orders/refusals.ts';
import { receiptOf, type Receipt } from './pdf/receipt.ts';
import type { PrintedReceipt } from './pdf/receipt-printer.ts';
import { orderNotSettled } from './refusals.ts';

type Needs = Pick<Services, 'db' | 'receiptPrinter'>;

export interface RenderedReceipt extends PrintedReceipt {
  filename: string;
  receipt: Receipt;
}

/**
 * Renders the receipt of an order, with its tickets, as a PDF.
 *
 * @param caller callers take turns. Null for a mail of ours.
 * @throws {Refusal} `ORDER_NOT_FOUND`, `ORDER_NOT_PAID` before it is SUCCESS or FREE, or `RECEIPTS_BUSY`
 */
export async function renderReceipt(
  { db, receiptPrinter }: Needs,
  orderNo: string,
  caller: string | null,
): Promise<RenderedReceipt> {
  const order = await db.orderTicketGroup.findUnique({
    where: { orderNo },
    include: {
      ticketGroup: true,
      items: {
        orderBy: { orderTicketInfoId: 'asc' },
        include: { tickets: { orderBy: { serial: 'asc' }, where: { revokedAt: null } } },
      },
    },
  });
  if (!order) throw orderNotFound();
  if (!hasTickets(order.transactionStatus)) throw orderNotSettled();

  const receipt = receiptOf(order);
  return { filename: `${order.orderNo}.pdf`, receipt, ...(await receiptPrinter.print(receipt, caller)) };
}
