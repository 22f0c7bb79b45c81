import { isUuid } from '@foyer/shared/ids';
import type { Client } from '@foyer/shared/http/request';
import type { Viewer } from '@foyer/shared/auth/viewer';

import type { OrderReads } from '../catalogue/order-reads.ts';
import type { Limits } from './limits.ts';

interface Buyer {
  viewer: Viewer | null;
  client: Client;
  limits: Limits;
  orderReads: OrderReads;
}

/**
 * Admits somebody who is about to order. Customers with an account always pass; everybody else, including those who
 * registered an address and did not verify it, passes only so often per minute.
 *
 * @throws {Refusal} `RATE_LIMITED`
 */
export async function admitBuyer<Needs extends Buyer>(needs: Needs): Promise<Needs> {
  if (!(await hasAccount(needs))) await needs.limits.take('guestOrders', needs.client.address);
  return needs;
}

async function hasAccount({ viewer, orderReads }: Pick<Buyer, 'viewer' | 'orderReads'>): Promise<boolean> {
  if (viewer?.kind !== 'customer' || !isUuid(viewer.custId)) return false;
  return (await orderReads.customer(viewer.custId))?.hasLogin ?? false;
}
