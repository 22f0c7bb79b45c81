import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { PaymentClaims } from '#ports/payment-gateway.ts';

import type { Settings } from '../context.ts';
import { companyDeadline } from './deadline.ts';

/**
 * For how long the places of a company are held, now that its bank knows of the payment. It counts from the first time
 * that the bank said so, whatever forms follow: asking again, or changing the mode to and fro, prolongs nothing, and takes
 * nothing away. Whose payment it is, the bank says: the order tells only what the last form chose.
 *
 * @returns nothing to change for an individual's payment, and never less time than the order has
 */
export async function holdForCompany(
  { settings }: { settings: Pick<Settings, 'pendingCorporateHours'> },
  tx: TicketingTransaction,
  { order, claims }: { order: OrderTicketGroup; claims: PaymentClaims },
): Promise<{ holdExpiresAt?: Date }> {
  if (claims.msgToken !== '02') return {};
  const { orderTicketGroupId } = order;
  const { receivedAt } = await tx.paymentEvent.findFirstOrThrow({
    where: { orderTicketGroupId, claims: { path: ['msgToken'], equals: '02' } },
    orderBy: { receivedAt: 'asc' },
  });
  const holdExpiresAt = companyDeadline(order, settings, receivedAt);
  return holdExpiresAt && (order.holdExpiresAt ?? holdExpiresAt) <= holdExpiresAt ? { holdExpiresAt } : {};
}
