import type { Customer } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Context } from '../context.ts';
import type { CustomerSession } from './customer.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'signCustomerToken'>;

/**
 * Opens a session of a customer and signs its token.
 *
 * @param customer as read before the password was checked
 * @returns null when all sessions were ended since then, because the password that was checked may be the old one
 */
export async function openCustomerSession(
  { db, clock, signCustomerToken }: Needs,
  customer: Customer,
): Promise<CustomerSession | null> {
  const { custId, sessionEpoch } = customer;
  const signedAt = clock.now();
  return db.$transaction(async (tx) => {
    const current = await tx.$queryRaw<unknown[]>`
      SELECT 1 FROM ticketing.customer
      WHERE cust_id = ${custId}::uuid AND session_epoch = ${sessionEpoch} AND NOT is_disabled FOR SHARE`;
    if (current.length === 0) return null;
    const id = crypto.randomUUID();
    const { token, expiresAt } = await signCustomerToken({ custId, sessionId: id }, signedAt);
    await tx.customerSession.create({ data: { id, custId, createdAt: signedAt, expiresAt } });
    return { token, expiresAt, customer: { ...customer, inFull: true } };
  });
}

/**
 * Ends the sessions of a customer, including those being opened, and all tokens without a session.
 *
 * @param except a session to keep
 */
export async function endCustomerSessions(
  tx: TicketingTransaction,
  { custId, except, at }: { custId: string; except?: string | undefined; at: Date },
): Promise<void> {
  // The row first, because whoever opens a session has locked it.
  await tx.customer.update({ where: { custId }, data: { sessionEpoch: { increment: 1 }, tokensNotBefore: at } });
  await tx.customerSession.updateMany({
    where: { custId, endedAt: null, ...(except && { id: { not: except } }) },
    data: { endedAt: at },
  });
}
