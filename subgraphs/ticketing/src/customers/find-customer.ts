import { unauthenticated } from '@foyer/shared/viewer';
import { z } from 'zod';

import type { Context } from '../context.ts';
import type { CustomerInView } from './customer.ts';
import { customerNotFound } from './refusals.ts';

/**
 * Finds a customer: in full for themselves, masked for others.
 *
 * @throws {Refusal} `CUSTOMER_NOT_FOUND`; `UNAUTHENTICATED` when nobody is named or signed in
 */
export async function findCustomer(
  { viewer, db }: Pick<Context, 'viewer' | 'db'>,
  custId: string | null | undefined,
): Promise<CustomerInView> {
  const own = viewer?.kind === 'customer' ? viewer.custId : null;
  const id = custId ?? own;
  if (!id) throw unauthenticated();
  const customer = z.uuid().safeParse(id).success && (await db.customer.findUnique({ where: { custId: id } }));
  if (!customer) throw customerNotFound();
  return { ...customer, inFull: customer.custId === own || viewer?.kind === 'legacy-user' };
}
