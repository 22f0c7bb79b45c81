import { requireCustomer } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { endCustomerSessions } from './customer-session.ts';
import { findCurrentCustomer } from './find-current-customer.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock'>;

/**
 * Ends the session of the viewer's token, or all of their sessions. A legacy token has no session of its own, so all
 * legacy tokens of the customer end with it.
 */
export async function logoutCustomer(needs: Needs, everywhere: boolean): Promise<boolean> {
  const { sessionId } = requireCustomer(needs.viewer);
  const { custId } = await findCurrentCustomer(needs);
  const at = needs.clock.now();
  if (everywhere) await needs.db.$transaction((tx) => endCustomerSessions(tx, { custId, at }));
  else if (sessionId)
    await needs.db.customerSession.updateMany({ where: { id: sessionId, custId }, data: { endedAt: at } });
  else await needs.db.customer.update({ where: { custId }, data: { tokensNotBefore: at } });
  return true;
}
