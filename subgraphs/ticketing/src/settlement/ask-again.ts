import type { OrderTicketGroup, TransactionStatus } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { House } from '../context.ts';
import { orderNotFound } from '../orders/refusals.ts';
import { isUndecided } from './deadline.ts';
import { requeryPaymentJob } from './requery-job.ts';

type Needs = Pick<House, 'db' | 'jobs' | 'clock'> & {
  /** Writes down who asks, in the transaction that asks. */
  note(tx: TicketingTransaction, order: Pick<OrderTicketGroup, 'orderNo' | 'organizationId'>): Promise<void>;
};

interface AskedAgain {
  orderNo: string;
  status: TransactionStatus;
  /** False when there is nothing to learn: it is settled or under review. */
  asked: boolean;
}

/**
 * Has the gateway asked at once what became of the payment of an order, besides the rounds that go on anyway, however
 * long ago the order expired.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`
 */
export async function askAgain({ db, jobs, clock, note }: Needs, orderNo: string): Promise<AskedAgain> {
  const order = await db.orderTicketGroup.findUnique({ where: { orderNo } });
  if (!order) throw orderNotFound();
  const { orderTicketGroupId, transactionStatus: status } = order;
  const now = clock.now();
  if (!isUndecided(order)) return { orderNo, status, asked: false };
  await db.$transaction(async (tx) => {
    const round = {
      orderTicketGroupId: String(orderTicketGroupId),
      round: 1,
      startedAt: now.toISOString(),
      once: true,
    };
    await jobs.enqueue(requeryPaymentJob, round, { within: tx });
    await note(tx, order);
  });
  return { orderNo, status, asked: true };
}

/** The numbers of all orders whose payment is open. */
export async function pendingOrders({ db }: Pick<House, 'db'>): Promise<string[]> {
  const orders = await db.orderTicketGroup.findMany({
    where: { transactionStatus: 'PENDING', reviewReason: null },
    select: { orderNo: true },
    orderBy: { orderTicketGroupId: 'asc' },
  });
  return orders.map(({ orderNo }) => orderNo);
}
