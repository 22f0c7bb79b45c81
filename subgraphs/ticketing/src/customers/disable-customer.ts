import { isUuid } from '@foyer/shared/ids';
import { permitOnPlatform } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';
import { notifyOfCustomer } from '../notifications/notify-of-customer.ts';
import type { CustomerInView } from './customer.ts';
import { endCustomerSessions } from './customer-session.ts';
import { customerNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'permissions'>;

/**
 * Disables or enables a customer. Disabling ends all of their sessions; their tokens are refused everywhere within five
 * seconds.
 *
 * @throws {Refusal} `FORBIDDEN`, `CUSTOMER_NOT_FOUND`
 */
export async function setCustomerDisabled(
  { viewer, db, clock, permissions }: Needs,
  { custId, isDisabled }: { custId: string; isDisabled: boolean },
): Promise<CustomerInView> {
  await permitOnPlatform({ viewer, permissions }, 'org:manage');
  if (!isUuid(custId)) throw customerNotFound();
  const at = clock.now();
  const customer = await db.$transaction(async (tx) => {
    const { count } = await tx.customer.updateMany({ where: { custId }, data: { isDisabled } });
    if (count === 0) throw customerNotFound();
    if (isDisabled) await endCustomerSessions(tx, { custId, at });
    const changed = await tx.customer.findUniqueOrThrow({ where: { custId } });
    const done = isDisabled ? 'disabled' : 'enabled';
    const say = (name: string) => `The customer account of ${name} was ${done}.`;
    const by = { performedBy: 'system', authorityLevel: 'SYSADMIN' };
    await notifyOfCustomer(tx, changed, { type: 'Customer', title: `Customer ${done}`, say, at, by });
    return changed;
  });
  return { ...customer, inFull: true };
}
