import { unauthenticated } from '@foyer/shared/auth/viewer';
import { changeSignal, readChanges } from '@foyer/shared/events/changes';

import { topics } from '../topics.ts';
import type { Context } from '../context.ts';
import { findOrder, seeOrder } from './find-order.ts';
import { hasTickets, isUnderReview, type OrderInView } from './order.ts';
import { orderNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'client' | 'limits' | 'db' | 'permissions' | 'events' | 'settings' | 'signal'>;

/**
 * Yields an order, and yields it again whenever its status has changed, or a review of its payment has begun or ended, in
 * whichever process, until its tickets are issued.
 * Allowed to the buyer, to staff, and to anyone who knows its number and e-mail.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, or `ORDER_NOT_FOUND`, also for someone else's
 */
export async function watchOrder(
  needs: Needs,
  names: { orderNo: string; email?: string | null | undefined },
): Promise<AsyncIterableIterator<OrderInView>> {
  const changes = changeSignal(needs.signal);
  // Listen first, then look: nothing is missed.
  changes.onEnd(
    needs.events.subscribe(topics.orders, (no) => (no === null || no === names.orderNo) && changes.notify()),
  );
  try {
    let next: OrderInView | null = seenBy(needs, await findOrder(needs, names));
    let told: string | null = null;
    const read = async () => {
      const order: OrderInView = next ?? seenBy(needs, await seeOrder(needs, names));
      next = null;
      const state = `${order.transactionStatus} ${isUnderReview(order)}`;
      if (state === told) return [];
      told = state;
      return [order];
    };
    return readChanges({ changes, read, isLast: ({ transactionStatus }) => hasTickets(transactionStatus) });
  } catch (error) {
    changes.end();
    throw error;
  }
}

function seenBy({ viewer }: Needs, order: OrderInView): OrderInView {
  if (order.seenBy === 'public') throw viewer ? orderNotFound() : unauthenticated();
  return order;
}
