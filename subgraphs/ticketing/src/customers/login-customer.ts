import { readInput } from '@foyer/shared/read-input';
import { z } from 'zod';

import type { Context } from '../context.ts';
import { openCustomerSession } from './customer-session.ts';
import type { CustomerSession } from './customer.ts';
import { customerDisabled, invalidCredentials } from './refusals.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'client' | 'reply' | 'customerDirectory' | 'signCustomerToken'>;

const Credentials = z.object({
  email: z.string().trim().toLowerCase().min(1, 'must not be empty').max(320, 'is too long'),
  password: z.string().min(1, 'must not be empty').max(200, 'is too long'),
});

/**
 * Logs a customer in. Only passwords of customers are checked: the address of a member of staff counts as unknown.
 *
 * @throws {Refusal} `INVALID_CREDENTIALS`, `RATE_LIMITED`, `ACCOUNT_DISABLED`
 */
export async function loginCustomer(
  needs: Needs,
  credentials: { email: string; password: string },
): Promise<CustomerSession> {
  const { db, client, reply, customerDirectory } = needs;
  const { email, password } = readInput(Credentials, credentials);
  return customerDirectory.attempt(email, { client, reply }, async () => {
    const customer = await db.customer.findFirst({ where: { email, hasLogin: true } });
    const isRight =
      customer?.idpUserId && (await customerDirectory.checkPassword(customer.idpUserId, password, client));
    if (!isRight) throw invalidCredentials();
    if (customer.isDisabled) throw customerDisabled();
    const session = await openCustomerSession(needs, customer);
    if (!session) throw invalidCredentials();
    return session;
  });
}
