import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Context } from '../context.ts';
import { isOrderNo } from '../orders/order.ts';
import { orderNotFound } from '../orders/refusals.ts';
import { writeLog } from '../orders/write-log.ts';
import { nextRequery, paymentDeadline } from './deadline.ts';
import { checkForm, type SentForm } from './payment-form.ts';
import { spendToken } from './payment-token.ts';
import { formMismatch, notPayable } from './refusals.ts';
import { requeryPaymentJob } from './requery-job.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'jobs' | 'paymentGateway' | 'settings'>;

interface Input extends SentForm {
  orderNo: string;
  token?: string | null | undefined;
  bankCode?: string | null | undefined;
}

/**
 * Sends the buyer to the bank. The order becomes PENDING together with the job that will ask the bank, so
 * that nothing paid is missed, whoever dies on the way. A buyer who comes back may try again.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`, `FORM_MISMATCH`, `PAYMENT_TOKEN_USED`, `ORDER_NOT_PAYABLE`
 */
export async function startPayment(needs: Needs, { token: given, bankCode, ...sent }: Input) {
  const order =
    isOrderNo(sent.orderNo) && (await needs.db.orderTicketGroup.findUnique({ where: { orderNo: sent.orderNo } }));
  if (!order) throw orderNotFound();
  if (bankCode && !/^[\w-]{1,32}$/.test(bankCode)) throw formMismatch(order, 'bankCode');
  checkForm(order, sent);

  const now = needs.clock.now();
  const token = await needs.db.$transaction(async (tx) => {
    await makePending(needs, tx, order, now);
    const { token, tokenHash } = await spendToken(tx, order, given, now);
    const { orderTicketGroupId, msgToken, totalAmountSen: amountSen } = order;
    const chosen = bankCode ?? '';
    await tx.paymentAttempt.create({
      data: { orderTicketGroupId, msgToken, amountSen, bankCode: chosen, tokenHash, createdAt: now },
    });
    await writeLog(tx, order, {
      type: 'payment',
      title: 'Sent to the bank',
      message: chosen,
      at: now,
      performedBy: order.buyerName,
    });
    return token;
  });

  const { action, fields } = needs.paymentGateway.form({
    ...order,
    amountSen: order.totalAmountSen,
    bankCode: bankCode ?? '',
    token,
    redirectUrl: `${needs.settings.publicUrl}/payment/return`,
  });
  return {
    action,
    origin: new URL(action).origin,
    orderNo: order.orderNo,
    langChosen: order.langChosen,
    fields: [...fields],
  };
}

/** @throws {Refusal} `ORDER_NOT_PAYABLE` when it is neither INITIATED in time nor PENDING already */
async function makePending(
  needs: Pick<Needs, 'jobs' | 'settings'>,
  tx: TicketingTransaction,
  order: OrderTicketGroup,
  now: Date,
): Promise<void> {
  const { orderTicketGroupId, msgToken, admitDate } = order;
  const { count } = await tx.orderTicketGroup.updateMany({
    where: { orderTicketGroupId, transactionStatus: 'INITIATED', holdExpiresAt: { gt: now } },
    data: {
      transactionStatus: 'PENDING',
      holdExpiresAt: paymentDeadline({ msgToken, admitDate }, needs.settings, now),
      version: { increment: 1 },
    },
  });
  if (count === 1) {
    const startAfter = nextRequery(needs.settings.requerySeconds, 1, now, now);
    const data = { orderTicketGroupId: String(orderTicketGroupId), round: 1, startedAt: now.toISOString() };
    await needs.jobs.enqueue(requeryPaymentJob, data, { within: tx, startAfter });
    return;
  }
  const { transactionStatus, reviewReason } = await tx.orderTicketGroup.findUniqueOrThrow({
    where: { orderTicketGroupId },
  });
  // Under review money has already come: nobody is asked for more.
  if (transactionStatus !== 'PENDING' || reviewReason) throw notPayable(order, transactionStatus);
}
