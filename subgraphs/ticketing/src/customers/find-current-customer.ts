import { isUuid } from '@foyer/shared/ids';
import type { Customer } from '@foyer/prisma/client';
import { requireCustomer } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { customerNotFound } from './refusals.ts';

/**
 * Finds the record of the customer who is logged in.
 *
 * @throws {Refusal} `CUSTOMER_NOT_FOUND` for a token of a customer who is not recorded here
 */
export async function findCurrentCustomer({ viewer, db }: Pick<Context, 'viewer' | 'db'>): Promise<Customer> {
  const { custId } = requireCustomer(viewer);
  const customer = isUuid(custId) && (await db.customer.findUnique({ where: { custId } }));
  if (!customer) throw customerNotFound();
  return customer;
}
