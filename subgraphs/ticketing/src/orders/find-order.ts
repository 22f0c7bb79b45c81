import type { OrderTicketGroup } from '@foyer/prisma/client';
import { serialId, uuidOf } from '@foyer/shared/ids';
import { openingOf } from '@foyer/shared/auth/opening';

import type { Context } from '../context.ts';
import { passesAsSysadmin } from '../access/role-scope.ts';
import { isOrderNo, maskNames, type Audience, type OrderInView } from './order.ts';
import { orderNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;
type LimitedNeeds = Needs & Pick<Context, 'client' | 'limits'>;

interface Names {
  orderNo?: string | null | undefined;
  transactionId?: string | null | undefined;
  orderTicketGroupId?: string | null | undefined;
  email?: string | null | undefined;
}

/** Granted to everybody by the REST route by number when `REST_AUTH=documented`; GraphQL never grants it. */
const NAMES_BY_NUMBER = 'legacy:order-names';

/**
 * Finds one order by any of its names and decides who it is shown to. Rate limits keep viewers who are neither its buyer
 * nor staff from guessing e-mails and numbers.
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
 * Finds an order as `findOrder`, without the rate limit: for a viewer who has passed it already.
 *
 * @throws {Refusal} `ORDER_NOT_FOUND`, also when the e-mail given is not the buyer's
 */
export async function seeOrder(needs: Needs, names: Names): Promise<OrderInView> {
  return show(needs, names, await look(needs, names));
}

/** Finds an order as the viewer sees it by identity alone, whatever else they know. */
async function look(needs: Needs, names: Names): Promise<OrderInView | null> {
  const order = await lookUp(needs, names);
  return order && { ...order, seenBy: await audienceOf(needs, order) };
}

function show({ viewer }: Needs, names: Names, found: OrderInView | null): OrderInView {
  if (!found) throw orderNotFound();
  if (names.email && names.email.trim().toLowerCase() !== found.buyerEmail.toLowerCase()) throw orderNotFound();
  if (names.email && names.orderNo) return { ...found, seenBy: 'buyer' };
  // Documented numbers are sequential and so can be guessed, and either of the other names opens the receipt.
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

/** Decides who the viewer is to an order. Staff see it as in their lists. */
async function audienceOf(
  { viewer, permissions }: Pick<Context, 'viewer' | 'permissions'>,
  order: Pick<OrderTicketGroup, 'custId' | 'workspaceId'>,
): Promise<Audience> {
  if (!viewer || viewer.kind === 'legacy-client' || viewer.kind === 'service') return 'public';
  if (viewer.kind === 'customer') return viewer.custId === order.custId ? 'buyer' : 'public';
  if (await passesAsSysadmin({ viewer, permissions })) return 'staff';
  const rights = await permissions.inWorkspace(viewer, order.workspaceId);
  return rights?.permissions.has('orders:view') ? 'staff' : 'public';
}
