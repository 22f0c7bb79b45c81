import type { Context } from '../context.ts';
import type { CustomerSession } from './customer.ts';
import { customerDisabled, invalidCredentials } from './refusals.ts';

type Needs = Pick<Context, 'db' | 'customerDirectory' | 'signCustomerToken'>;

/**
 * Signs a customer in.
 *
 * @throws {Refusal} `INVALID_CREDENTIALS`, `ACCOUNT_DISABLED`
 */
export async function loginCustomer(
  { db, customerDirectory, signCustomerToken }: Needs,
  { email, password }: { email: string; password: string },
): Promise<CustomerSession> {
  const known = await customerDirectory.check(email.trim().toLowerCase(), password);
  const customer = known && (await db.customer.findUnique({ where: { idpUserId: known.userId } }));
  if (!customer) throw invalidCredentials();
  if (customer.isDisabled) throw customerDisabled();
  return { ...(await signCustomerToken(customer.custId)), customer: { ...customer, inFull: true } };
}
