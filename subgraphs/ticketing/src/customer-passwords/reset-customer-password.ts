import type { Context } from '../context.ts';
import { readWithLink } from '../customers/customer-input.ts';
import { customerDisabled, customerLinkInvalid } from '../customers/refusals.ts';
import { setCustomerPassword } from './set-customer-password.ts';
import { useCustomerLink } from '../customers/use-customer-link.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'customerDirectory' | 'customerLinks'>;

/**
 * Sets a new password with the link of a mail, once, and ends every session of the customer. Using the link verifies the
 * address.
 *
 * @throws {Refusal} `CUSTOMER_LINK_INVALID`, `PASSWORD_TOO_SIMPLE`, `ACCOUNT_DISABLED`, `IDENTITY_PROVIDER_DOWN`
 */
export async function confirmCustomerPasswordReset(
  needs: Needs,
  input: { token: string; password: string },
): Promise<boolean> {
  const { token, password } = readWithLink(input);
  await needs.customerDirectory.assertPassword(password);
  await useCustomerLink(needs, { token, kind: 'reset' }, async (customer) => {
    const { idpUserId, isDisabled } = customer;
    if (!idpUserId) throw customerLinkInvalid();
    if (isDisabled) throw customerDisabled();
    await setCustomerPassword(needs, customer, { idpUserId, password, isVerified: true });
    await needs.customerDirectory.forgetFailures(customer.email);
  });
  return true;
}
