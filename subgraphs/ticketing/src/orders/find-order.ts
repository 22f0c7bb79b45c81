import type { OrderTicketGroup } from '@foyer/prisma/client';
import { serialId, uuidOf } from '@foyer/shared/ids';
import { openingOf } from '@foyer/shared/auth/opening';

import type { Context } from '../context.ts';
import { passesAsSysadmin } from '../access/role-scope.ts';
import { isOrderNo, maskNames, type Eyes, type OrderInView } from './order.ts';
import { orderNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;
type LimitedNeeds = Needs & Pick<Context, 'client' | 'limits'>;

interface Names {
  orderNo?: string | null | undefined;
  transactionId?: string | null | undefined;
  orderTicketGroupId?: string | null | undefined;
  email?: string | null | undefined;
}

/** What the REST route by number opens to everybody when `REST_AUTH=documented`; GraphQL opens nothing. */
const NAMES_BY_NUMBER = 'legacy:order-names';

/**
 * Finds one order by any of its names, and decides through whose eyes it is shown. Who is neither its buyer nor staff may
 * not try e-mails and count up numbers as often as they like.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`, also when the e-mail given is not the buyer's; `RATE_LIMITED`
 */
export async function findOrder(needs: LimitedNeeds, names: Names): Promise<OrderInView> {
  const found = await look(needs, names);
  const guesses = Boolean(names.email) || !(names.orderNo || names.transactionId);
  if (guesses && found?.seenBy !== 'buyer' && found?.seenBy !== 'staff' && needs.viewer?.kind !== 'service') {
    await needs.limits.take('inquiries', needs.client.address);
  }
  return show(needs, names, found);
}

/**
 * The same, for who was let in already.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`, also when the e-mail given is not the buyer's
 */
export async function seeOrder(needs: Needs, names: Names): Promise<OrderInView> {
  return show(needs, names, await look(needs, names));
}

/** The order as the viewer sees it by who they are, whatever else they know. */
async function look(needs: Needs, names: Names): Promise<OrderInView | null> {
  const order = await lookUp(needs, names);
  return order && { ...order, seenBy: await eyesOf(needs, order) };
}

function show({ viewer }: Needs, names: Names, found: OrderInView | null): OrderInView {
  if (!found) throw orderNotFound();
  if (names.email && names.email.trim().toLowerCase() !== found.buyerEmail.toLowerCase()) throw orderNotFound();
  if (names.email && names.orderNo) return { ...found, seenBy: 'buyer' };
  // Documented numbers count up, and either of the other names opens the receipt.
  const isGuessed = !names.orderNo && !names.transactionId;
  const tellsNames = openingOf(viewer)?.permissions.includes(NAMES_BY_NUMBER);
  return { ...found, ...(isGuessed && !tellsNames && found.seenBy === 'public' && maskNames(found)) };
}

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
