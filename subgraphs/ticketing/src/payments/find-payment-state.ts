import type { Context } from '../context.ts';
import { isOrderNo, isUnderReview } from '../orders/order.ts';
import { orderNotFound } from '../orders/refusals.ts';

/**
 * Finds the payment state of an order by its number, and nothing more about it.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`
 */
export async function findPaymentState({ db }: Pick<Context, 'db'>, orderNo: string) {
  const order = isOrderNo(orderNo) && (await db.orderTicketGroup.findUnique({ where: { orderNo } }));
  if (!order) throw orderNotFound();
  const { transactionStatus, langChosen } = order;
  return { orderNo, transactionStatus, langChosen, underReview: isUnderReview(order) };
}
