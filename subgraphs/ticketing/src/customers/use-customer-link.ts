import type { Customer, CustomerLinkKind } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { customerLinkInvalid } from './refusals.ts';

type Needs = Pick<Context, 'db' | 'clock' | 'customerLinks'>;

/**
 * Uses the link of a mail once; of two uses at the same time, one succeeds. When `use` fails, the link stays valid.
 *
 * @throws {Refusal} `CUSTOMER_LINK_INVALID`, and what `use` throws
 */
export async function useCustomerLink<Result>(
  { db, clock, customerLinks }: Needs,
  { token, kind }: { token: string; kind: CustomerLinkKind },
  use: (customer: Customer) => Promise<Result>,
): Promise<Result> {
  const id = customerLinks.idOf(token, kind);
  if (!id) throw customerLinkInvalid();
  const usedAt = clock.now();
  const usable = { id, kind, usedAt: null, expiresAt: { gt: usedAt } };
  const { count } = await db.customerLink.updateMany({ where: usable, data: { usedAt } });
  if (count === 0) throw customerLinkInvalid();
  try {
    const { customer } = await db.customerLink.findUniqueOrThrow({ where: { id }, include: { customer: true } });
    return await use(customer);
  } catch (error) {
    await db.customerLink.updateMany({ where: { id, usedAt }, data: { usedAt: null } });
    throw error;
  }
}
