import type { OrderTicketGroup, PaymentEvent } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';
import { badInput } from '@foyer/shared/errors';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import type { Context } from '../context.ts';
import { notify } from '../notifications/notify.ts';
import { applyVerdict } from '../settlement/apply-verdict.ts';
import { failOrder } from '../settlement/fail-order.ts';
import { isDayOver } from '../settlement/deadline.ts';
import { invalidDate, soldOut } from '../catalogue/refusals.ts';
import { lockOrder } from '../orders/lock-order.ts';
import { isUnderReview, type OrderInView } from '../orders/order.ts';
import { reviewNotOpen } from '../orders/refusals.ts';
import { claimsOf, consequenceOf, type ReviewResolution } from './review.ts';
import { authorityOf, findManagedOrder, performerOf } from '../orders/staff.ts';
import { writeOrderLog } from '../orders/write-order-log.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'permissions' | 'jobs' | 'ticketSigner' | 'settings'>;

interface Args {
  orderNo: string;
  resolution: ReviewResolution;
  note: string;
  gatewayTransactionId?: string | null | undefined;
}

const Note = z.object({
  note: z
    .string()
    .trim()
    .min(1, 'must say why')
    .max(500, 'must have at most 500 characters')
    .regex(/^[^\0]*$/),
});

const words: Record<ReviewResolution, string> = {
  ACCEPTED: 'Review: payment accepted',
  REFUND_NOTED: 'Review: refund noted',
};

/**
 * Ends the review of an order whose payment did not match it. ACCEPTED: the money counts as its payment, and an order
 * without tickets gets them while there is capacity. REFUND_NOTED: staff refunds the money by hand, elsewhere, and the
 * order's capacity is released. All in one transaction: of two decisions at the same time, one takes effect. Another payment
 * that came meanwhile is reviewed next, and until then the order stays under review.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`, `REVIEW_NOT_OPEN`, `SOLD_OUT`, `INVALID_DATE`, `VALIDATION_FAILED`
 */
export async function resolveReview(
  needs: Needs,
  { orderNo, resolution, note, gatewayTransactionId: about }: Args,
): Promise<OrderInView> {
  const { order: found, staff } = await findManagedOrder(needs, orderNo, 'payments:manage');
  const { note: why } = readInput(Note, { note });
  const now = needs.clock.now();

  const order = await needs.db.$transaction(async (tx) => {
    const { order: before, event, isOnly, next } = await lockReview(tx, found, about);
    await carryOut(needs, tx, { order: before, event, resolution, isLast: !next, isOnly, now });
    const by = performerOf(staff);
    await writeOrderLog(tx, before, {
      type: 'admin',
      title: words[resolution],
      message: why,
      performedBy: by,
      at: now,
    });
    const { organizationId, workspaceId } = before;
    await notify(tx, {
      performedBy: by,
      authorityLevel: authorityOf(staff),
      type: 'Order',
      title: 'Review resolved',
      message: `${words[resolution]} (${before.reviewReason}), order ${orderNo}: ${why}`,
      at: now,
      organizationId,
      workspaceId,
    });
    if (next) {
      await tx.paymentEvent.update({ where: { jti: next.jti }, data: { waitingReview: null } });
    }
    return tx.orderTicketGroup.update({
      where: { orderTicketGroupId: before.orderTicketGroupId },
      data: {
        ...(next ? { reviewReason: next.waitingReview } : { reviewResolvedAt: now }),
        version: { increment: 1 },
      },
    });
  });
  return { ...order, seenBy: 'staff' };
}

/**
 * Locks an order under review, and finds the payment that is reviewed now and the one that is reviewed next.
 *
 * @param about the payment that staff has looked at
 * @throws {Refusal} `REVIEW_NOT_OPEN`; `VALIDATION_FAILED` when there are several and none is named
 */
async function lockReview(
  tx: TicketingTransaction,
  { orderNo, orderTicketGroupId }: OrderTicketGroup,
  about: Args['gatewayTransactionId'],
) {
  const order = await lockOrder(tx, orderNo);
  if (!order || !isUnderReview(order)) throw reviewNotOpen();
  const reviewed = { orderTicketGroupId, outcome: 'REVIEW' } as const;
  const event = await tx.paymentEvent.findFirst({
    where: { ...reviewed, waitingReview: null },
    orderBy: { paymentEventId: 'desc' },
  });
  const isOnly = (await tx.paymentEvent.count({ where: reviewed })) <= 1;
  if (!about && !isOnly) throw severalPayments();
  if (about && about !== event?.gatewayTransactionId) throw reviewNotOpen();
  const next = await tx.paymentEvent.findFirst({
    where: { orderTicketGroupId, waitingReview: { not: null } },
    orderBy: { paymentEventId: 'asc' },
  });
  return { order, event, isOnly, next };
}

interface Case {
  order: OrderTicketGroup;
  /** The message of the gateway that is reviewed. */
  event: PaymentEvent | null;
  resolution: ReviewResolution;
  /** Whether no other payment of the order is to be reviewed. */
  isLast: boolean;
  /** Whether no other payment of the order was ever under review. */
  isOnly: boolean;
  now: Date;
}

async function carryOut(needs: Needs, tx: TicketingTransaction, it: Case): Promise<void> {
  const { order, event, resolution, isLast, isOnly, now } = it;
  const { orderTicketGroupId } = order;
  const consequence = consequenceOf(order, resolution);
  if (consequence === 'nothing') return;
  if (consequence === 'give-up') {
    if (!isLast) return; // the other payment may still become the order's
    await failOrder(tx, order, { bankCurrentStatus: 'REFUNDED', holdExpiresAt: null });
    return;
  }
  if (consequence === 'say-refunded') {
    await tx.orderTicketGroup.update({ where: { orderTicketGroupId }, data: { bankCurrentStatus: 'REFUNDED' } });
    return;
  }
  if (isDayOver(order, now)) throw invalidDate('has passed');
  if (!event) throw new Error(`nothing that the gateway said is under review: order ${order.orderNo}`);
  const verdict = { do: consequence === 'settle-late' ? 'succeed-late' : 'succeed' } as const;
  const outcome = await applyVerdict(needs, tx, { order, claims: claimsOf(event, order), verdict, now });
  if (outcome !== 'SUCCEEDED') throw soldOut(); // rolls the transaction back
  if (isOnly) await forgetRefundNotice(tx, order);
}

/** Otherwise the second of two decisions at the same time would be one about a payment that nobody looked at. */
const severalPayments = () =>
  badInput([
    {
      path: 'gatewayTransactionId',
      message: 'The order has several payments under review: name the one you looked at.',
    },
  ]);

/** The buyer is not told of a refund any more, unless that mail is just being sent. */
const forgetRefundNotice = (tx: TicketingTransaction, { orderTicketGroupId }: OrderTicketGroup) => tx.$executeRaw`
  DELETE FROM ticketing.delivery WHERE delivery_id IN (
    SELECT delivery_id FROM ticketing.delivery
    WHERE order_ticket_group_id = ${orderTicketGroupId} AND kind = 'refundDue' AND state <> 'SENT' FOR UPDATE SKIP LOCKED)`;
