import type { Prisma } from '@foyer/prisma/client';
import { isUuid, serialId, type Id } from '@foyer/shared/ids';
import { unauthenticated, type Customer } from '@foyer/shared/auth/viewer';

import {
  connectionOf,
  cursorOf,
  readMomentCursor,
  readPage,
  takeOfSearch,
  type PageArguments,
} from '@foyer/shared/pagination';
import type { Context } from '../context.ts';
import type { OrderFilter, TransactionStatus } from '../generated/graphql.ts';
import { roleScopeOf } from '../access/role-scope.ts';
import { matchingOrders } from './matching-orders.ts';
import type { Audience, OrderPage } from './order.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

const PERMISSION = 'orders:view';

/** Lists a customer's own orders; for staff, those that they may see. */
export async function listMyOrders(
  needs: Needs,
  { status, ...page }: PageArguments & { status?: TransactionStatus | null | undefined },
) {
  if (needs.viewer?.kind !== 'customer') return listOrders(needs, { filter: { status: status ?? null }, ...page });
  const mine = { ...ordersOf(needs.viewer), ...(status && { transactionStatus: status }) };
  return listWhere(needs, mine, page, 'buyer');
}

/** The documents call `custId` a string; a customer whose id is not a UUID has no orders here. */
const ordersOf = ({ custId }: Customer) => (isUuid(custId) ? { custId } : { orderTicketGroupId: -1n });

/**
 * Lists the orders of every workspace where the viewer holds `orders:view`; for a SYSADMIN, all orders.
 *
 * @throws {Refusal} `FORBIDDEN` for customers; `VALIDATION_FAILED` when `startDate` is after `endDate`
 */
export async function listOrders(
  needs: Needs,
  { filter, ...page }: PageArguments & { filter?: OrderFilter | null | undefined },
) {
  const where = await matchingOrders(needs, await roleScopeOf(needs, PERMISSION), filter ?? {});
  return listWhere(needs, where, page, 'staff', Boolean(filter?.query));
}

/** Lists the orders of one organization that the viewer may see. */
export async function listOrganizationOrders(needs: Needs, organizationId: Id, page: PageArguments) {
  if (!needs.viewer) throw unauthenticated();
  const workspaces = await needs.permissions.workspacesWith(needs.viewer, organizationId, PERMISSION);
  return listWhere(needs, { organizationId, workspaceId: { in: [...workspaces] } }, page, 'staff');
}

async function listWhere(
  { db }: Needs,
  where: Prisma.OrderTicketGroupWhereInput,
  page: PageArguments,
  seenBy: Audience,
  isSearch = false,
): Promise<OrderPage> {
  const { first, take, skip, after } = readPage(page);
  const cursor = readMomentCursor(after, serialId);
  const rows = await db.orderTicketGroup.findMany({
    where: {
      AND: [
        where,
        cursor
          ? // The first condition is the index's; the second decides among equals.
            {
              createdAt: { lte: cursor.moment },
              OR: [{ createdAt: { lt: cursor.moment } }, { orderTicketGroupId: { lt: cursor.id } }],
            }
          : {},
      ],
    },
    orderBy: [{ createdAt: 'desc' }, { orderTicketGroupId: 'desc' }],
    take: isSearch ? takeOfSearch(take) : take,
    skip,
  });
  const seen = rows.map((row) => ({ ...row, seenBy }));
  const connection = connectionOf(seen, first, (row) => cursorOf(row.createdAt.toISOString(), row.orderTicketGroupId));
  return { ...connection, where };
}
