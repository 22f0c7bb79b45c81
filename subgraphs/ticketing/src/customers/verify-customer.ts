import type { Customer } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Context } from '../context.ts';
import { notifyOfCustomer } from '../notifications/notify-of-customer.ts';
import { isUniqueViolation } from '@foyer/shared/database-errors';
import { readWithLink } from './customer-input.ts';
import { endCustomerSessions, openCustomerSession } from './customer-session.ts';
import type { CustomerSession } from './customer.ts';
import { customerDisabled, customerLinkInvalid } from './refusals.ts';
import { useCustomerLink } from './use-customer-link.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'customerDirectory' | 'customerLinks' | 'signCustomerToken'>;

/**
 * Claims an address: whoever reads its mail makes the record that was registered with it an account, with a password
 * that they choose now. An account of before that never showed that the address is its own loses it. Of two who claim
 * the same address, one gets it.
 *
 * @throws {Refusal} `CUSTOMER_LINK_INVALID`, `ACCOUNT_DISABLED`, `PASSWORD_TOO_SIMPLE`, `VALIDATION_FAILED`, `IDENTITY_PROVIDER_DOWN`
 */
export async function verifyCustomer(
  needs: Needs,
  input: { token: string; password: string },
): Promise<CustomerSession> {
  const { token, password } = readWithLink(input);
  const { customerDirectory } = needs;
  await customerDirectory.assertPassword(password);
  const account = await useCustomerLink(needs, { token, kind: 'verify' }, async (customer) => {
    const { custId, fullName, email } = customer;
    // Whoever was disabled does not come back by registering again.
    const barred = { isDisabled: true, OR: [{ custId }, { email, hasLogin: true }] };
    if (await needs.db.customer.findFirst({ where: barred })) throw customerDisabled();
    const idpUserId = await customerDirectory.createUser(custId, { fullName, password });
    try {
      return await claim(needs, customer, idpUserId);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      await customerDirectory.deleteUser(idpUserId); // somebody else has verified this address
      throw customerLinkInvalid();
    }
  });
  const session = await openCustomerSession(needs, account);
  if (!session) throw customerLinkInvalid();
  return session;
}

async function claim({ db, clock }: Needs, { custId, email }: Customer, idpUserId: string): Promise<Customer> {
  const at = clock.now();
  return db.$transaction(async (tx) => {
    await releaseUnverified(tx, email, at);
    const account = await tx.customer.update({
      where: { custId },
      data: { hasLogin: true, idpUserId, emailVerifiedAt: at },
    });
    // Tokens of before the claim may be in the hands of whoever typed the address in.
    await endCustomerSessions(tx, { custId, at });
    const say = (name: string) => `${name} created a customer account.`;
    await notifyOfCustomer(tx, account, { type: 'Customer', title: 'New customer', say, at, isNew: true });
    return tx.customer.findUniqueOrThrow({ where: { custId } });
  });
}

/** The account of the same address, if nobody ever verified it, is a guest from now on: it keeps its orders, and no login. */
async function releaseUnverified(tx: TicketingTransaction, email: string, at: Date): Promise<void> {
  const squatter = await tx.customer.findFirst({ where: { email, hasLogin: true, emailVerifiedAt: null } });
  if (!squatter) return;
  if (squatter.isDisabled) throw customerDisabled();
  await endCustomerSessions(tx, { custId: squatter.custId, at });
  await tx.customer.update({ where: { custId: squatter.custId }, data: { hasLogin: false, idpUserId: null } });
}
