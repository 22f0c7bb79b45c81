import type { Customer } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';
import { forbidden, unauthenticated } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { customerUnknown } from '../orders/refusals.ts';

/**
 * A valid customer account: one that is there and not disabled. Who has a login must show it: nobody else is that customer,
 * whoever they are. A guest's id is known to the guest alone.
 *
 * @throws {Refusal} `CUSTOMER_NOT_VALID`, `UNAUTHENTICATED` or `FORBIDDEN`
 */
export async function checkBuyer(
  { viewer, orderReads }: Pick<Context, 'viewer' | 'orderReads'>,
  custId: Id,
): Promise<Customer> {
  // Before it is looked up: nobody learns which customers there are.
  if (viewer?.kind === 'customer' && viewer.custId !== custId) throw forbidden();
  const customer = await orderReads.customer(custId);
  if (!customer || customer.isDisabled) throw customerUnknown();
  if (customer.hasLogin && viewer?.kind !== 'customer') throw viewer ? forbidden() : unauthenticated();
  return customer;
}
