import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { PaymentClaims } from '#ports/payment-gateway.ts';

import type { Settings } from '../context.ts';
import { companyDeadline } from './deadline.ts';

/**
 * Extends the hold of a company's order once its bank knows the payment. The time counts from the bank's first message,
 * so neither more queries nor another form change it. Whose payment it is comes from the bank, because the order only
 * holds the mode of its last form.
 *
 * @returns what to change: nothing for an individual's payment, and never an earlier deadline
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
