import type { Context } from '../context.ts';
import { isOrderNo } from '../orders/order.ts';
import { orderNotFound } from '../orders/refusals.ts';

/**
 * Tells who knows the number of an order where its payment stands, and no more.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`
 */
export async function findPaymentState({ db }: Pick<Context, 'db'>, orderNo: string) {
  const order = isOrderNo(orderNo) && (await db.orderTicketGroup.findUnique({ where: { orderNo } }));
  if (!order) throw orderNotFound();
  const { transactionStatus, reviewReason, reviewResolvedAt, langChosen } = order;
  return { orderNo, transactionStatus, langChosen, underReview: reviewReason !== null && reviewResolvedAt === null };
}
