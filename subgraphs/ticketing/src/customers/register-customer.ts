import { randomUUID } from 'node:crypto';

import { Prisma } from '@foyer/prisma/client';

import { stampOf } from '../calendar.ts';
import type { Context } from '../context.ts';
import { notify } from '../notifications/notify.ts';
import { readGuest, readRegistration } from './customer-input.ts';
import type { CustomerInView, CustomerSession } from './customer.ts';
import { emailTaken } from './refusals.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'customerDirectory' | 'signCustomerToken'>;

/**
 * Makes a customer with a login. The password goes to the directory and nowhere else; a registration that was
 * cut off between the two can be repeated.
 *
 * @throws {Refusal} `VALIDATION_FAILED`, `EMAIL_TAKEN`, and those of the directory
 */
export async function registerCustomer(
  needs: Needs,
  input: Parameters<typeof readRegistration>[0],
): Promise<CustomerSession> {
  const { password, ...wanted } = readRegistration(input);
  if (await needs.db.customer.findFirst({ where: { email: wanted.email, hasLogin: true } })) throw emailTaken();
  const custId = randomUUID();
  const idpUserId = await needs.customerDirectory.createUser(custId, { fullName: wanted.fullName, password });
  const customer = await needs.db.$transaction(async (tx) => {
    const made = await tx.customer
      .create({ data: { ...wanted, custId, hasLogin: true, idpUserId } })
      .catch((error: unknown) => {
        throw isTaken(error) ? emailTaken() : error;
      });
    const said = `${made.fullName} created a customer account.`;
    await notify(tx, made.fullName, 'CUSTOMER', 'Customer', 'New customer', said, stampOf(needs.clock.now()));
    return made;
  });
  return { ...(await needs.signCustomerToken(customer.custId)), customer: { ...customer, inFull: true } };
}

/** Makes a customer without a login. Two who name the same e-mail get two ids, and learn nothing of each other. */
export async function registerGuestCustomer(
  { db }: Pick<Context, 'db'>,
  input: Parameters<typeof readGuest>[0],
): Promise<CustomerInView> {
  return { ...(await db.customer.create({ data: readGuest(input) })), inFull: true };
}

const isTaken = (error: unknown) => error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
