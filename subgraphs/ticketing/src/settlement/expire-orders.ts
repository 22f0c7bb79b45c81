import type { OrderTicketGroup } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';
import { defineJob } from '@foyer/shared/jobs/jobs';
import { z } from 'zod';

import type { House } from '../context.ts';
import { writeLog } from '../orders/write-order-log.ts';
import { releaseCapacity } from '../capacity/release-capacity.ts';
import { extensionOf } from './deadline.ts';
import { requeryPayment } from './requery-payment.ts';

type Needs = Pick<House, 'db' | 'clock' | 'jobs' | 'log' | 'ticketSigner' | 'paymentGateway' | 'settings'>;

/** Gives back what unpaid orders hold. */
export const expireOrdersJob = defineJob({
  name: 'ticketing.expire-orders',
  data: z.object({}).loose(),
  retries: 0,
  retryDelaySeconds: 5,
  expireSeconds: 55,
  cron: '* * * * *',
});

const BATCH = 1_000;
/** A gateway that is slow to say that it is down must not keep the places of the others. */
const AT_ONCE = 4;

/** Ends orders whose time is over: the bank is asked a last time before a payment is given up. */
export async function expireOrders(needs: Needs, signal: AbortSignal): Promise<void> {
  const due = await needs.db.orderTicketGroup.findMany({
    where: {
      transactionStatus: { in: ['INITIATED', 'PENDING'] },
      reviewReason: null,
      holdExpiresAt: { lte: needs.clock.now() },
    },
    orderBy: { holdExpiresAt: 'asc' },
    take: BATCH,
  });
  const expireNext = async () => {
    for (let order = due.shift(); order && !signal.aborted; order = due.shift()) {
      try {
        await expireOrder(needs, order);
      } catch (error) {
        // One that can't be ended now must not keep the others; the next minute tries again.
        needs.log.error({ err: error, orderNo: order.orderNo }, 'order could not expire');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, expireNext));
}

async function expireOrder(needs: Needs, order: OrderTicketGroup): Promise<void> {
  if (order.transactionStatus === 'PENDING') {
    try {
      const settled = await requeryPayment(needs, order);
      if (settled && (settled.transactionStatus !== 'PENDING' || settled.underReview)) return;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const minutes = extensionOf(order, needs.clock.now());
      if (minutes > 0) return extend(needs, order, minutes);
    }
  }
  await end(needs, order);
}

/** A gateway that does not answer may hold the money: the buyer keeps the tickets a little longer. */
async function extend({ db, clock }: Needs, order: OrderTicketGroup, minutes: number): Promise<void> {
  const { orderTicketGroupId, holdExpiresAt } = order;
  await db.orderTicketGroup.updateMany({
    where: { orderTicketGroupId, transactionStatus: 'PENDING', holdExpiresAt },
    data: {
      holdExpiresAt: new Date(clock.now().getTime() + minutes * 60_000),
      expiryExtendedMinutes: { increment: minutes },
    },
  });
}

async function end(needs: Needs, order: OrderTicketGroup): Promise<void> {
  const now = needs.clock.now();
  const { orderTicketGroupId, transactionStatus } = order;
  await needs.db.$transaction(async (tx) => {
    const { count } = await tx.orderTicketGroup.updateMany({
      // What was paid, reviewed or prolonged since is left alone.
      where: { orderTicketGroupId, transactionStatus, reviewReason: null, holdExpiresAt: { lte: now } },
      data: { transactionStatus: 'FAILED', bankCurrentStatus: 'EXPIRED', version: { increment: 1 } },
    });
    if (count === 0) return;
    await releaseCapacity(tx, order);
    await writeLog(tx, order, { type: 'order', title: 'Expired', message: 'Not paid in time', at: now });
  });
}
