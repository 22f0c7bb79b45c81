import { Prisma, type OrderTicketGroup } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';
import { defineJob } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';
import { writeOrderLog } from '../orders/write-order-log.ts';
import { extensionOf } from './deadline.ts';
import { failOrder } from './fail-order.ts';
import { requeryPayment } from './requery-payment.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log' | 'ticketSigner' | 'paymentGateway' | 'settings'>;

/** Expires unpaid orders and releases their capacity. */
export const expireOrdersJob = defineJob({
  name: 'ticketing.expire-orders',
  data: z.object({}).loose(),
  retries: 0,
  retryDelaySeconds: 5,
  expireSeconds: 55,
  cron: '* * * * *',
});

const BATCH = 1_000;
const AT_ONCE = 4;

/** Ends orders whose hold has expired. The gateway is queried a last time before a pending payment is given up. */
export async function expireOrders(needs: Needs, signal: AbortSignal): Promise<void> {
  await expireAll(needs, signal, 'INITIATED'); // first, because a gateway that hangs must not hold them up
  await expireAll(needs, signal, 'PENDING');
}

type Unpaid = 'INITIATED' | 'PENDING';

// Constants: PostgreSQL can't tell that a status which is a parameter, as Prisma sends it, is one of those in the partial index.
const isStatus: Record<Unpaid, Prisma.Sql> = {
  INITIATED: Prisma.sql`transaction_status = 'INITIATED'`,
  PENDING: Prisma.sql`transaction_status = 'PENDING'`,
};

/** Finds the unpaid orders whose hold has expired, those that expired first at the beginning. */
export async function findDue({ db, clock }: Pick<Needs, 'db' | 'clock'>, status: Unpaid): Promise<OrderTicketGroup[]> {
  const rows = await db.$queryRaw<{ id: bigint }[]>`
    SELECT order_ticket_group_id AS id FROM ticketing.order_ticket_group
    WHERE ${isStatus[status]} AND review_reason IS NULL AND hold_expires_at <= ${clock.now()}
    ORDER BY hold_expires_at LIMIT ${BATCH}`;
  return db.orderTicketGroup.findMany({
    where: { orderTicketGroupId: { in: rows.map(({ id }) => id) } },
    orderBy: { holdExpiresAt: 'asc' },
  });
}

async function expireAll(needs: Needs, signal: AbortSignal, transactionStatus: Unpaid): Promise<void> {
  for (let isOver = false; !isOver && !signal.aborted;) {
    const due = await findDue(needs, transactionStatus);
    const isLast = due.length < BATCH;
    // One failure must not stop the others; the job of the next minute tries it again.
    isOver = (await expireEach(needs, signal, due)) > 0 || isLast;
  }
}

/** @returns how many could not expire */
async function expireEach(needs: Needs, signal: AbortSignal, due: OrderTicketGroup[]): Promise<number> {
  let failures = 0;
  const expireNext = async () => {
    for (let order = due.shift(); order && !signal.aborted; order = due.shift()) {
      try {
        await expireOrder(needs, order);
      } catch (error) {
        failures += 1;
        needs.log.error({ err: error, orderNo: order.orderNo }, 'order could not expire');
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, expireNext));
  return failures;
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

/** Extends the hold of an order: the gateway does not answer, and the buyer may have paid. */
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
  const { transactionStatus } = order;
  await needs.db.$transaction(async (tx) => {
    // Not when it was paid, put under review or extended meanwhile.
    const unchanged = { transactionStatus, reviewReason: null, holdExpiresAt: { lte: now } };
    if (!(await failOrder(tx, order, { bankCurrentStatus: 'EXPIRED' }, unchanged))) return;
    await writeOrderLog(tx, order, { type: 'order', title: 'Expired', message: 'Not paid in time', at: now });
  });
}
