import type { OrderTicketGroup, TransactionStatus } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Services } from '../context.ts';
import { orderNotFound } from '../orders/refusals.ts';
import { isUndecided } from './deadline.ts';
import { requeryPaymentJob } from './requery-job.ts';

type Needs = Pick<Services, 'db' | 'jobs' | 'clock'> & {
  /** Records who requested it, in the same transaction. */
  note(tx: TicketingTransaction, order: Pick<OrderTicketGroup, 'orderNo' | 'organizationId'>): Promise<void>;
};

interface RequestedRequery {
  orderNo: string;
  status: TransactionStatus;
  /** False when the gateway has nothing to add: the order is settled or under review. */
  requested: boolean;
}

/**
 * Requests that the gateway is queried at once about the payment of an order, besides its scheduled requeries, however
 * long ago the order expired.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`
 */
export async function requestRequery({ db, jobs, clock, note }: Needs, orderNo: string): Promise<RequestedRequery> {
  const order = await db.orderTicketGroup.findUnique({ where: { orderNo } });
  if (!order) throw orderNotFound();
  const { orderTicketGroupId, transactionStatus: status } = order;
  const now = clock.now();
  if (!isUndecided(order)) return { orderNo, status, requested: false };
  await db.$transaction(async (tx) => {
    const data = {
      orderTicketGroupId: String(orderTicketGroupId),
      round: 1,
      startedAt: now.toISOString(),
      once: true,
    };
    await jobs.enqueue(requeryPaymentJob, data, { within: tx });
    await note(tx, order);
  });
  return { orderNo, status, requested: true };
}

/** Lists the numbers of all orders whose payment is pending. */
export async function pendingOrders({ db }: Pick<Services, 'db'>): Promise<string[]> {
  const orders = await db.orderTicketGroup.findMany({
    where: { transactionStatus: 'PENDING', reviewReason: null },
    select: { orderNo: true },
    orderBy: { orderTicketGroupId: 'asc' },
  });
  return orders.map(({ orderNo }) => orderNo);
}
