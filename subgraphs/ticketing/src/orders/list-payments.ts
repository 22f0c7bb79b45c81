import type { PaymentEvent } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import type { OrderInView } from './order.ts';
import { holds } from './staff.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** Lists the gateway's messages about an order, the oldest first; none for viewers who may not see payments. */
export async function listPayments(needs: Needs, order: OrderInView): Promise<PaymentEvent[]> {
  const { viewer } = needs;
  if (order.seenBy !== 'staff' || viewer?.kind !== 'staff') return [];
  if (!(await holds(needs, viewer, order, 'payments:view'))) return [];
  return needs.loaders.payments.load(order.orderTicketGroupId);
}
