import { unauthenticated } from '@foyer/shared/viewer';

import type { Context } from '../context.ts';
import { findOrder } from './find-order.ts';
import { isSettled, type OrderInView } from './order.ts';
import { orderNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions' | 'events' | 'signal'>;

/**
 * Tells how an order is, and again whenever its status has changed, until it is settled. For the buyer, for
 * staff, and for who knows its number and e-mail.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, or `ORDER_NOT_FOUND`, also for someone else's
 */
export async function watchOrder(
  needs: Needs,
  names: { orderNo: string; email?: string | null | undefined },
): Promise<AsyncIterableIterator<OrderInView>> {
  const leaving = new AbortController();
  const facts = needs.events.subscribe('order.statusChanged', AbortSignal.any([needs.signal, leaving.signal])); // listen first, then look: nothing is missed
  try {
    const order = await findOrder(needs, names);
    if (order.seenBy === 'public') throw needs.viewer ? orderNotFound() : unauthenticated();
    return changesOf(order, facts, () => findOrder(needs, names));
  } catch (error) {
    leaving.abort();
    throw error;
  }
}

/** Written by hand: an async generator could not be left while it waits for the next fact. */
function changesOf(
  order: OrderInView,
  facts: AsyncIterableIterator<{ orderNo: string }>,
  look: () => Promise<OrderInView>,
): AsyncIterableIterator<OrderInView> {
  let next: OrderInView | null = order;
  let told: OrderInView | null = null;

  const done = { done: true, value: undefined } as const;
  return {
    async next() {
      if (!next && told && !isSettled(told.transactionStatus)) {
        for (;;) {
          const fact = await facts.next();
          if (fact.done) return done;
          if (fact.value.orderNo !== order.orderNo) continue;
          next = await look();
          if (next.transactionStatus !== told.transactionStatus) break;
        }
      }
      if (!next) {
        await facts.return?.();
        return done;
      }
      told = next;
      next = null;
      return { done: false, value: told };
    },
    async return() {
      await facts.return?.();
      return done;
    },
    async throw(error) {
      await facts.return?.();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
