import type { OrderTicketGroup } from '@foyer/prisma/client';
import { serialId, uuidOf } from '@foyer/shared/ids';
import type { Viewer } from '@foyer/shared/viewer';

import type { Context, Settings } from '../context.ts';
import { passesAsSysadmin } from '../role-scope.ts';
import { isOrderNo, maskNames, type Eyes, type OrderInView } from './order.ts';
import { orderNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'> & { settings: Pick<Settings, 'namesByNumber'> };
type LimitedNeeds = Needs & Pick<Context, 'client' | 'limits'>;

interface Names {
  orderNo?: string | null | undefined;
  transactionId?: string | null | undefined;
  orderTicketGroupId?: string | null | undefined;
  email?: string | null | undefined;
}

/**
 * Finds one order by any of its names, and decides through whose eyes it is shown. Strangers and customers may not try
 * e-mails and count up numbers as often as they like.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`, also when the e-mail given is not the buyer's; `RATE_LIMITED`
 */
export async function findOrder(needs: LimitedNeeds, names: Names): Promise<OrderInView> {
  const guesses = Boolean(names.email) || !(names.orderNo || names.transactionId);
  if (!isStranger(needs.viewer) || !guesses) return seeOrder(needs, names);
  if (needs.viewer?.kind === 'customer' && !names.email) {
    const order = await lookUp(needs, names);
    if (order?.custId === needs.viewer.custId) return { ...order, seenBy: 'buyer' }; // their own is no guess
  }
  await needs.limits.take('inquiries', needs.client.address);
  return seeOrder(needs, names);
}

/**
 * The same, for who was let in already.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`, also when the e-mail given is not the buyer's
 */
export async function seeOrder(needs: Needs, names: Names): Promise<OrderInView> {
  const order = await lookUp(needs, names);
  if (!order) throw orderNotFound();
  if (names.email && names.email.trim().toLowerCase() !== order.buyerEmail.toLowerCase()) throw orderNotFound();
  const knowsBoth = Boolean(names.email && names.orderNo);
  const seenBy = knowsBoth ? 'buyer' : await eyesOf(needs, order);
  // Documented numbers count up, and either of the other names opens the receipt.
  const guessed = !names.orderNo && !names.transactionId && !needs.settings.namesByNumber;
  return { ...order, ...(guessed && seenBy === 'public' && maskNames(order)), seenBy };
}

/** Whoever answers for no organization: a customer's token is to be had by anybody. */
const isStranger = (viewer: Viewer | null) => !viewer || viewer.kind === 'customer' || viewer.kind === 'legacy-client';

async function lookUp({ db }: Needs, names: Names): Promise<OrderTicketGroup | null> {
  const id = names.orderTicketGroupId ? serialId(names.orderTicketGroupId) : undefined;
  const transactionId = names.transactionId ? uuidOf(names.transactionId) : undefined;
  if (names.orderNo && !isOrderNo(names.orderNo)) return null;
  if (id === null || transactionId === null) return null;
  const where = {
    ...(names.orderNo && { orderNo: names.orderNo }),
    ...(transactionId && { transactionId }),
    ...(id && { orderTicketGroupId: id }),
  };
  return Object.keys(where).length > 0 ? db.orderTicketGroup.findFirst({ where }) : null;
}

/** Through whose eyes the viewer sees an order: staff see it as in their lists. */
async function eyesOf(
  { viewer, permissions }: Pick<Context, 'viewer' | 'permissions'>,
  order: Pick<OrderTicketGroup, 'custId' | 'workspaceId'>,
): Promise<Eyes> {
  if (!viewer || viewer.kind === 'legacy-client' || viewer.kind === 'service') return 'public';
  if (viewer.kind === 'customer') return viewer.custId === order.custId ? 'buyer' : 'public';
  if (await passesAsSysadmin({ viewer, permissions })) return 'staff';
  const rights = await permissions.inWorkspace(viewer, order.workspaceId);
  return rights?.permissions.has('orders:view') ? 'staff' : 'public';
}
