import type { OrderTicketGroup } from '@foyer/prisma/client';
import { Refusal } from '@foyer/shared/errors';
import { serialId } from '@foyer/shared/ids';

import type { Services } from '../context.ts';
import { isUndecided, isWorthRequerying, nextRequery } from './deadline.ts';
import { requeryPaymentJob } from './requery-job.ts';
import { settlePayment, type Settled } from './settle-payment.ts';

type Needs = Pick<Services, 'db' | 'clock' | 'jobs' | 'log' | 'ticketSigner' | 'paymentGateway' | 'settings'>;

/**
 * Queries the gateway about a payment and handles the answer like a return.
 *
 * @returns null when the answer is about no known order, or contradicts it
 * @throws {Refusal} `PAYMENT_GATEWAY_DOWN`
 */
export async function requeryPayment(
  needs: Needs,
  { orderNo, billId }: Pick<OrderTicketGroup, 'orderNo' | 'billId'>,
): Promise<Settled | null> {
  return settlePayment(needs, await needs.paymentGateway.requery({ orderNo, billId }), 'requery');
}

interface Query {
  orderTicketGroupId: string;
  round: number;
  startedAt: string;
  once?: boolean | undefined;
}

/** Runs one query, and schedules the next while the payment is undecided. */
export async function runRequery(
  needs: Needs,
  { orderTicketGroupId: id, round, startedAt, once = false }: Query,
): Promise<void> {
  const where = { orderTicketGroupId: serialId(id) ?? 0n };
  const before = await needs.db.orderTicketGroup.findUnique({ where });
  if (!before) return;
  const isWorthIt = once ? isUndecided(before) : isWorthRequerying(before, needs.settings, needs.clock.now());
  if (!isWorthIt) return;
  try {
    await requeryPayment(needs, before);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error; // a bug: the queue retries this run
    needs.log.warn({ orderNo: before.orderNo, round }, 'the gateway did not answer');
  }
  if (once) return;
  const order = await needs.db.orderTicketGroup.findUniqueOrThrow({ where });
  const now = needs.clock.now();
  if (!isWorthRequerying(order, needs.settings, now)) return;
  const startAfter = nextRequery(needs.settings.requerySeconds, round + 1, new Date(startedAt), now);
  await needs.jobs.enqueue(requeryPaymentJob, { orderTicketGroupId: id, round: round + 1, startedAt }, { startAfter });
}
