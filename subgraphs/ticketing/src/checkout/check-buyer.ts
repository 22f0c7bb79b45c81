import type { Id } from '@foyer/shared/ids';
import { forbidden, unauthenticated } from '@foyer/shared/auth/viewer';

import type { Buyer } from '../catalogue/order-reads.ts';
import type { Context } from '../context.ts';
import { customerUnknown } from '../orders/refusals.ts';

/**
 * Requires a valid customer account: one that exists and is not disabled. A customer with a login must be logged in;
 * a guest's id is known to the guest alone, and is enough.
 *
 * @throws {Refusal} `CUSTOMER_NOT_VALID`, `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function checkBuyer(
  { viewer, orderReads }: Pick<Context, 'viewer' | 'orderReads'>,
  custId: Id,
): Promise<Buyer> {
  // Before the lookup, so that nobody learns which customers exist.
  if (viewer?.kind === 'customer' && viewer.custId !== custId) throw forbidden();
  const customer = await orderReads.customer(custId);
  if (!customer || customer.isDisabled) throw customerUnknown();
  if (customer.hasLogin && viewer?.kind !== 'customer') throw viewer ? forbidden() : unauthenticated();
  return customer;
}
