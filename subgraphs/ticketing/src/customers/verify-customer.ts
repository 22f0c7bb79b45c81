import type { Customer } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';
import { isUniqueViolation } from '@foyer/shared/database-errors';

import type { Context } from '../context.ts';
import { notifyOfCustomer } from '../notifications/notify-of-customer.ts';
import { readWithLink } from './customer-input.ts';
import { endCustomerSessions, openCustomerSession } from './customer-session.ts';
import type { CustomerSession } from './customer.ts';
import { customerDisabled, customerLinkInvalid } from './refusals.ts';
import { useCustomerLink } from './use-customer-link.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'customerDirectory' | 'customerLinks' | 'signCustomerToken'>;

/**
 * Verifies an address: whoever reads its mail turns the registered record into an account, with a password that they
 * choose now. An earlier account that never verified the address loses it. Of two who verify the same address at the
 * same time, one succeeds.
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
    // A disabled customer must not come back by registering again.
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
    // Earlier tokens may belong to whoever typed the address in.
    await endCustomerSessions(tx, { custId, at });
    const say = (name: string) => `${name} created a customer account.`;
    await notifyOfCustomer(tx, account, { type: 'Customer', title: 'New customer', say, at, isNew: true });
    return tx.customer.findUniqueOrThrow({ where: { custId } });
  });
}

/** Turns an account of the same address that was never verified into a guest: it keeps its orders and loses its login. */
async function releaseUnverified(tx: TicketingTransaction, email: string, at: Date): Promise<void> {
  const squatter = await tx.customer.findFirst({ where: { email, hasLogin: true, emailVerifiedAt: null } });
  if (!squatter) return;
  if (squatter.isDisabled) throw customerDisabled();
  await endCustomerSessions(tx, { custId: squatter.custId, at });
  await tx.customer.update({ where: { custId: squatter.custId }, data: { hasLogin: false, idpUserId: null } });
}
