import { isUuid } from '@foyer/shared/ids';
import type { Context } from '../context.ts';

/**
 * Lets through who is about to order: a customer with an account at any time, everybody else so often; also who has
 * registered an address that nobody has verified.
 *
 * @throws {Refusal} `RATE_LIMITED`
 */
export async function admitBuyer<Needs extends Pick<Context, 'viewer' | 'client' | 'limits' | 'orderReads'>>(
  needs: Needs,
): Promise<Needs> {
  if (!(await hasAccount(needs))) await needs.limits.take('guestOrders', needs.client.address);
  return needs;
}

async function hasAccount({ viewer, orderReads }: Pick<Context, 'viewer' | 'orderReads'>): Promise<boolean> {
  if (viewer?.kind !== 'customer' || !isUuid(viewer.custId)) return false;
  return (await orderReads.customer(viewer.custId))?.hasLogin ?? false;
}
