import type { OrderTicketGroup } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import type { PaymentClaims } from '#ports/payment-gateway.ts';
import { hasTickets, isUnderReview } from '../orders/order.ts';
import { requeryPayment } from '../settlement/requery-payment.ts';
import { settlePayment, type Settled } from '../settlement/settle-payment.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'jobs' | 'log' | 'ticketSigner' | 'paymentGateway' | 'settings'>;

/**
 * Accepts the gateway's message about a payment, from the buyer's browser or from the gateway itself. Only its seal
 * makes it authentic. An expired message is not trusted, but makes the server query the gateway.
 *
 * @returns where to redirect the browser; it never refuses, because a buyer must land on some page
 */
export async function acceptPaymentReturn(needs: Needs, payload: string) {
  const read = await needs.paymentGateway.readReturn(payload);
  if (read.kind === 'invalid') {
    needs.log.warn({ security: 'payment-return', why: read.why }, 'payment return refused');
    return landing(null);
  }
  return landing(
    read.kind === 'expired' ? await askAgain(needs, read.claims) : await settlePayment(needs, read.claims, 'return'),
  );
}

/** How long the gateway is not queried for expired messages about the same order: anybody may repeat them without end. */
const ASKED_MS = 60_000;

async function askAgain(needs: Needs, { orderNo }: PaymentClaims): Promise<Settled | null> {
  const order = await needs.db.orderTicketGroup.findUnique({ where: { orderNo } });
  if (!order) return null;
  const known = { orderNo, transactionStatus: order.transactionStatus, underReview: isUnderReview(order) };
  if (!(await isFirstToAsk(needs, order))) return known;
  needs.log.info({ orderNo }, 'payment return expired: querying the gateway');
  try {
    return await requeryPayment(needs, order);
  } catch (error) {
    needs.log.warn({ err: error, orderNo }, 'the gateway did not answer');
    return known;
  }
}

/** Of messages that come at once one queries the gateway, whichever process they reach, and whether or not it answers. */
async function isFirstToAsk(
  { db, clock }: Needs,
  { orderTicketGroupId }: Pick<OrderTicketGroup, 'orderTicketGroupId'>,
): Promise<boolean> {
  const now = clock.now();
  const asked = await db.$executeRaw`
    UPDATE ticketing.order_ticket_group SET bank_asked_at = ${now} WHERE order_ticket_group_id = ${orderTicketGroupId}
      AND (bank_asked_at IS NULL OR bank_asked_at <= ${new Date(now.getTime() - ASKED_MS)})`;
  return asked === 1;
}

/** The result page reads the order itself and trusts nothing in this URL. */
function landing(settled: Settled | null) {
  if (!settled) {
    return { orderNo: null, transactionStatus: null, redirectPath: '/payment/failure?code=INVALID_PAYLOAD' };
  }
  const { orderNo, transactionStatus, underReview } = settled;
  const query = new URLSearchParams({ orderNo });
  const paid = hasTickets(transactionStatus);
  const failed = transactionStatus === 'FAILED' || (underReview && !paid);
  if (failed && underReview) query.set('code', 'REVIEW');
  if (!paid && !failed) query.set('status', 'PENDING');
  return { orderNo, transactionStatus, redirectPath: `/payment/${failed ? 'failure' : 'success'}?${query.toString()}` };
}
