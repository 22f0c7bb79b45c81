import type { Customer } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { notifyOfCustomer } from '../notifications/notify-of-customer.ts';
import { endCustomerSessions } from '../customers/customer-session.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'customerDirectory'>;

interface NewPassword {
  idpUserId: string;
  password: string;
  /** A session to keep. */
  except?: string | undefined;
  /** Whoever chose it has proved to read the mail of the address. */
  isVerified?: true;
}

/**
 * Sets the password of a customer, ends their sessions and reset links, and notifies staff. Sessions end before and
 * after: if the process dies in between, nobody stays logged in with the old password, and a login that was checked
 * against it meanwhile fails.
 *
 * @throws {Refusal} `PASSWORD_TOO_SIMPLE`, `IDENTITY_PROVIDER_DOWN`
 */
export async function setCustomerPassword(
  { db, clock, customerDirectory }: Needs,
  { custId, fullName }: Customer,
  { idpUserId, password, except, isVerified }: NewPassword,
): Promise<void> {
  await db.$transaction((tx) => endCustomerSessions(tx, { custId, except, at: clock.now() }));
  await customerDirectory.setPassword(idpUserId, password);
  const at = clock.now();
  await db.$transaction(async (tx) => {
    await endCustomerSessions(tx, { custId, except, at });
    await tx.customerLink.deleteMany({ where: { custId, kind: 'reset', usedAt: null } });
    if (isVerified) await tx.customer.update({ where: { custId }, data: { emailVerifiedAt: at } });
    const say = (name: string) => `${name} chose a new password.`;
    await notifyOfCustomer(tx, { custId, fullName }, { type: 'Customer', title: 'Customer password', say, at });
  });
}
