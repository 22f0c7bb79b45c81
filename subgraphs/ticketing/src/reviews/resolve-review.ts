import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';
import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import type { Context } from '../context.ts';
import { notify } from '../notifications/notify.ts';
import { applyVerdict } from '../settlement/apply-verdict.ts';
import { failOrder } from '../settlement/fail-order.ts';
import { isDayOver } from '../settlement/deadline.ts';
import { invalidDate, soldOut } from '../catalogue/refusals.ts';
import type { OrderInView } from '../orders/order.ts';
import { reviewNotOpen } from '../orders/refusals.ts';
import { claimsOf, consequenceOf, type ReviewResolution } from './review.ts';
import { authorityOf, findManagedOrder, performerOf } from '../orders/staff.ts';
import { writeOrderLog } from '../orders/write-order-log.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'permissions' | 'jobs' | 'ticketSigner' | 'settings'>;

interface Args {
  orderNo: string;
  resolution: ReviewResolution;
  note: string;
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
 * order's capacity is released. All in one transaction: of two decisions at the same time, one takes effect.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`, `REVIEW_NOT_OPEN`, `SOLD_OUT`, `INVALID_DATE`, `VALIDATION_FAILED`
 */
export async function resolveReview(needs: Needs, { orderNo, resolution, note }: Args): Promise<OrderInView> {
  const { order: found, staff } = await findManagedOrder(needs, orderNo, 'payments:manage');
  const { note: why } = readInput(Note, { note });
  const { orderTicketGroupId } = found;
  const now = needs.clock.now();

  const order = await needs.db.$transaction(async (tx) => {
    await tx.$queryRaw`
      SELECT 1 FROM ticketing.order_ticket_group WHERE order_ticket_group_id = ${orderTicketGroupId} FOR UPDATE`;
    const before = await tx.orderTicketGroup.findUniqueOrThrow({ where: { orderTicketGroupId } });
    if (!before.reviewReason || before.reviewResolvedAt) throw reviewNotOpen();

    await carryOut(needs, tx, { order: before, resolution, now });
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
    return tx.orderTicketGroup.update({
      where: { orderTicketGroupId },
      data: { reviewResolvedAt: now, version: { increment: 1 } },
    });
  });
  return { ...order, seenBy: 'staff' };
}

interface Case {
  order: OrderTicketGroup;
  resolution: ReviewResolution;
  now: Date;
}

async function carryOut(needs: Needs, tx: TicketingTransaction, { order, resolution, now }: Case): Promise<void> {
  const { orderTicketGroupId } = order;
  const consequence = consequenceOf(order, resolution);
  if (consequence === 'nothing') return;
  if (consequence === 'give-up') {
    await failOrder(tx, order, { bankCurrentStatus: 'REFUNDED', holdExpiresAt: null });
    return;
  }
  if (consequence === 'say-refunded') {
    await tx.orderTicketGroup.update({ where: { orderTicketGroupId }, data: { bankCurrentStatus: 'REFUNDED' } });
    return;
  }
  const isLate = consequence === 'settle-late';
  if (isLate && isDayOver(order, now)) throw invalidDate('has passed');
  const event = await tx.paymentEvent.findFirstOrThrow({
    where: { orderTicketGroupId, outcome: 'REVIEW' },
    orderBy: { paymentEventId: 'desc' },
  });
  const verdict = { do: isLate ? 'succeed-late' : 'succeed' } as const;
  const outcome = await applyVerdict(needs, tx, { order, claims: claimsOf(event, order), verdict, now });
  if (outcome !== 'SUCCEEDED') throw soldOut(); // rolls the transaction back
}
