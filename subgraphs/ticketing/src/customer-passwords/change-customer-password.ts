import { requireCustomer } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { readPasswordChange } from '../customers/customer-input.ts';
import { findCurrentCustomer } from '../customers/find-current-customer.ts';
import { invalidCredentials, passwordUnchanged } from '../customers/refusals.ts';
import { setCustomerPassword } from './set-customer-password.ts';

type Needs = Pick<Context, 'viewer' | 'client' | 'reply' | 'db' | 'clock' | 'customerDirectory'>;

/**
 * Changes the password of the customer who is logged in and ends their other sessions. A wrong current password counts
 * as a failed login.
 *
 * @throws {Refusal} `INVALID_CREDENTIALS`, `RATE_LIMITED`, `PASSWORD_TOO_SIMPLE`, `PASSWORD_UNCHANGED`, `VALIDATION_FAILED`
 */
export async function changeCustomerPassword(
  needs: Needs,
  input: { currentPassword: string; newPassword: string },
): Promise<boolean> {
  const { currentPassword, newPassword } = readPasswordChange(input);
  const { client, reply, customerDirectory } = needs;
  const { sessionId: except } = requireCustomer(needs.viewer);
  const customer = await findCurrentCustomer(needs);
  await customerDirectory.assertPassword(newPassword);
  await customerDirectory.attempt(customer.email, { client, reply }, async () => {
    const { idpUserId } = customer;
    const isRight = idpUserId && (await customerDirectory.checkPassword(idpUserId, currentPassword, client));
    if (!isRight) throw invalidCredentials();
    if (currentPassword === newPassword) throw passwordUnchanged();
    await setCustomerPassword(needs, customer, { idpUserId, password: newPassword, except });
  });
  return true;
}
