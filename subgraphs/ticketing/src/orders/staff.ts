import type { OrderTicketGroup } from '@foyer/prisma/client';
import { requireStaff, type Staff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { isOrderNo, type OrderInView } from './order.ts';
import { orderNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Finds an order over which a member of staff holds a permission.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN` for viewers who are not staff; `ORDER_NOT_FOUND` for any other reason
 */
export async function findManagedOrder(needs: Needs, orderNo: string, permission: string) {
  const staff = requireStaff(needs.viewer);
  const order = isOrderNo(orderNo) ? await needs.db.orderTicketGroup.findUnique({ where: { orderNo } }) : null;
  if (!order || !(await holds(needs, staff, order, permission))) throw orderNotFound();
  return { order, staff };
}

/**
 * Whether a member of staff holds a permission over an order. Over those of a workspace that was deleted, where nobody holds
 * one any more, it is whoever runs the platform.
 */
export async function holds(
  { permissions }: Pick<Needs, 'permissions'>,
  staff: Staff,
  { organizationId, workspaceId }: Pick<OrderTicketGroup, 'organizationId' | 'workspaceId'>,
  permission: string,
): Promise<boolean> {
  const rights = await permissions.inWorkspace(staff, workspaceId);
  if (!rights) return (await permissions.onPlatform(staff)).has('org:manage');
  return rights.organizationId === organizationId && rights.permissions.has(permission);
}

/** A member of staff as logs and notifications name them. */
export const performerOf = ({ userId }: Staff): string => `staff ${userId}`;

/** The authority with which a member of staff acts, as notifications name it. */
export const authorityOf = ({ role }: Staff): 'ADMIN' | 'MEMBER' =>
  role === 'ORG_OWNER' || role === 'ORG_ADMIN' ? 'ADMIN' : 'MEMBER';

/** Whether the viewer may act for the buyer: as the buyer, or as staff who hold `orders:manage` over the order. */
export async function mayManage(
  needs: Pick<Needs, 'viewer' | 'permissions'>,
  order: Pick<OrderInView, 'seenBy' | 'organizationId' | 'workspaceId'>,
): Promise<boolean> {
  if (order.seenBy === 'buyer') return true;
  return needs.viewer?.kind === 'staff' && holds(needs, needs.viewer, order, 'orders:manage');
}

/** Who acts for the buyer, as the log of the order names them. */
export const performerFor = ({ viewer }: Pick<Needs, 'viewer'>, { buyerName }: Pick<OrderInView, 'buyerName'>) =>
  viewer?.kind === 'staff' ? performerOf(viewer) : buyerName;
