import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Context } from '../context.ts';
import { isOrderNo } from '../orders/order.ts';
import { lockOrder } from '../orders/lock-order.ts';
import { checkPayable } from '../orders/payable.ts';
import { orderNotFound } from '../orders/refusals.ts';
import { ringgitText } from '../units/money.ts';
import { writeOrderLog } from '../orders/write-order-log.ts';
import { formDeadline, nextFormDeadline, nextRequery } from '../settlement/deadline.ts';
import { checkForm, chooseMode, readText, type SentForm, type SentMode } from './payment-form.ts';
import { spendToken } from './payment-token.ts';
import { formMismatch, notPayable } from './refusals.ts';
import { requeryPaymentJob } from '../settlement/requery-job.ts';
import { NOT_KNOWN } from '../settlement/verdict.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'jobs' | 'paymentGateway' | 'settings'>;

interface Input extends SentForm, SentMode {
  orderNo: string;
  token?: string | null | undefined;
  bankCode?: string | null | undefined;
}

/**
 * Sends the buyer to an individual's or a company's bank, as the form chooses. The order becomes PENDING together with
 * the job that will query the gateway, so that no payment is missed when a process dies. A buyer who comes back may
 * try again.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`, `FORM_MISMATCH`, `PAYMENT_TOKEN_USED`, `ORDER_NOT_PAYABLE`, `AMOUNT_OUT_OF_RANGE`
 */
export async function startPayment(needs: Needs, input: Input) {
  const now = needs.clock.now();
  const bankCode = readText(input.bankCode) ?? '';
  const { order, token } = await needs.db.$transaction(async (tx) => {
    const found = await findPayable(tx, input, bankCode);
    const msgToken = chooseMode(found, input);
    const order = await makePending(needs, tx, { order: found, msgToken, now });
    const { token, tokenHash } = await spendToken(tx, order, readText(input.token), now);
    const { orderTicketGroupId, totalAmountSen: amountSen } = order;
    await tx.paymentAttempt.create({
      data: { orderTicketGroupId, msgToken, amountSen, bankCode, tokenHash, createdAt: now },
    });
    await writeOrderLog(tx, order, {
      type: 'payment',
      title: 'Sent to the bank',
      message: [`RM ${ringgitText(amountSen)}`, bankCode].filter(Boolean).join(', '),
      at: now,
      performedBy: order.buyerName,
    });
    return { order, token };
  });

  const { action, fields } = needs.paymentGateway.form({
    ...order,
    amountSen: order.totalAmountSen,
    bankCode,
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

/** @throws {Refusal} `ORDER_NOT_FOUND`, `FORM_MISMATCH` */
async function findPayable(tx: TicketingTransaction, sent: Input, bankCode: string): Promise<OrderTicketGroup> {
  const orderNo = sent.orderNo.trim();
  const order = isOrderNo(orderNo) ? await lockOrder(tx, orderNo) : null;
  if (!order) throw orderNotFound();
  if (!/^[\w-]{0,32}$/.test(bankCode)) throw formMismatch(order, 'bankCode');
  checkForm(order, sent);
  return order;
}

interface Sending {
  order: OrderTicketGroup;
  msgToken: '01' | '02';
  now: Date;
}

/**
 * @returns the order as it now is
 * @throws {Refusal} `ORDER_NOT_PAYABLE` when it is neither INITIATED in time nor PENDING already; `AMOUNT_OUT_OF_RANGE`
 */
async function makePending(
  needs: Pick<Needs, 'jobs' | 'settings'>,
  tx: TicketingTransaction,
  { order, msgToken, now }: Sending,
): Promise<OrderTicketGroup> {
  const { orderTicketGroupId, transactionStatus, reviewReason, holdExpiresAt, langChosen } = order;
  const isFirst = transactionStatus === 'INITIATED' && holdExpiresAt !== null && holdExpiresAt > now;
  // Under review, money has arrived already: the buyer must not pay again.
  if (reviewReason || !(isFirst || transactionStatus === 'PENDING')) throw notPayable(order, transactionStatus);
  checkPayable(order.totalAmountSen, msgToken, { langChosen });
  if (isFirst) {
    const startAfter = nextRequery(needs.settings.requerySeconds, 1, now, now);
    const data = { orderTicketGroupId: String(orderTicketGroupId), round: 1, startedAt: now.toISOString() };
    await needs.jobs.enqueue(requeryPaymentJob, data, { within: tx, startAfter });
  }
  return tx.orderTicketGroup.update({
    where: { orderTicketGroupId },
    data: {
      msgToken,
      version: { increment: 1 },
      ...(isFirst
        ? { transactionStatus: 'PENDING', holdExpiresAt: formDeadline({ ...order, msgToken }, needs.settings, now) }
        : await followUp(needs, tx, { order, msgToken, now })),
    },
  });
}

/** Another mode gets another deadline, as long as the bank has not heard of the payment. */
async function followUp(
  { settings }: Pick<Needs, 'settings'>,
  tx: TicketingTransaction,
  { order, msgToken, now }: Sending,
): Promise<{ holdExpiresAt?: Date | null }> {
  const { orderTicketGroupId, expiryExtendedMinutes } = order;
  if (order.msgToken === msgToken || expiryExtendedMinutes > 0) return {};
  const first = await tx.paymentAttempt.findFirst({ where: { orderTicketGroupId }, orderBy: { createdAt: 'asc' } });
  const said = await tx.paymentEvent.count({ where: { orderTicketGroupId, statusCode: { not: NOT_KNOWN } } });
  if (!first || said > 0) return {};
  return { holdExpiresAt: nextFormDeadline({ ...order, msgToken }, settings, { sentAt: first.createdAt, now }) };
}
