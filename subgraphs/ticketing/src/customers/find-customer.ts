import { isUuid } from '@foyer/shared/ids';
import { unauthenticated } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import type { CustomerInView } from './customer.ts';
import { customerNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Finds a customer: in full for themselves and for staff who serve them, masked for others.
 *
 * @throws {Refusal} `CUSTOMER_NOT_FOUND`; `UNAUTHENTICATED` when no id is given and no customer is logged in
 */
export async function findCustomer(
  { viewer, db, permissions }: Needs,
  custId: string | null | undefined,
): Promise<CustomerInView> {
  const own = viewer?.kind === 'customer' ? viewer.custId : null;
  const id = custId ?? own;
  if (!id) throw unauthenticated();
  const customer = isUuid(id) && (await db.customer.findUnique({ where: { custId: id } }));
  if (!customer) throw customerNotFound();
  return {
    ...customer,
    inFull: customer.custId === own || (await serves({ viewer, db, permissions }, customer.custId)),
  };
}

/** Whether a member of staff may see a customer: one who has ordered in a workspace where they hold `customers:view`. */
async function serves({ viewer, db, permissions }: Needs, custId: string): Promise<boolean> {
  if (viewer?.kind === 'legacy-user') return true;
  if (viewer?.kind !== 'staff') return false;
  const { organizationId } = viewer;
  const workspaces = await permissions.workspacesWith(viewer, organizationId, 'customers:view');
  const where = { custId, organizationId, workspaceId: { in: [...workspaces] } };
  return (await db.orderTicketGroup.findFirst({ where })) !== null;
}
