import type { Prisma } from '@foyer/prisma/client';
import { badInput } from '@foyer/shared/errors';
import { literally } from '@foyer/shared/literal-pattern';
import { isUuid, serialId, type Id } from '@foyer/shared/ids';
import { unauthenticated, type Customer } from '@foyer/shared/auth/viewer';

import {
  connectionOf,
  cursorMoment,
  cursorOf,
  readCursor,
  readPage,
  type PageArguments,
} from '@foyer/shared/pagination';
import { endOf, startOf } from '../units/calendar.ts';
import type { Context } from '../context.ts';
import type { OrderFilter, TransactionStatus } from '../generated/graphql.ts';
import { reachOf } from '../access/role-scope.ts';
import type { Eyes, OrderInView } from './order.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

const PERMISSION = 'orders:view';

/** A page of orders, and of which it is one: they are counted only when somebody asks how many. */
export interface OrderPage {
  edges: { cursor: string; node: OrderInView }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  where: Prisma.OrderTicketGroupWhereInput;
}

/** A customer's own orders; for staff those they may see. */
export async function listMyOrders(
  needs: Needs,
  { status, ...page }: PageArguments & { status?: TransactionStatus | null | undefined },
) {
  if (needs.viewer?.kind !== 'customer') return listOrders(needs, { filter: { status: status ?? null }, ...page });
  const mine = { ...ordersOf(needs.viewer), ...(status && { transactionStatus: status }) };
  return listWhere(needs, mine, page, 'buyer');
}

/** The documents call `custId` a string: whoever is named otherwise than the customers recorded here has no orders. */
const ordersOf = ({ custId }: Customer) => (isUuid(custId) ? { custId } : { orderTicketGroupId: -1n });

/**
 * The orders of every workspace where the viewer holds `orders:view`; of all, for a SYSADMIN.
 *
 * @throws {Refusal} `FORBIDDEN` for customers; `VALIDATION_FAILED` for days that run backwards
 */
export async function listOrders(
  needs: Needs,
  { filter, ...page }: PageArguments & { filter?: OrderFilter | null | undefined },
) {
  return listWhere(needs, { AND: [await reachOf(needs, PERMISSION), whereOf(filter ?? {})] }, page, 'staff');
}

/** The orders of one organization, as far as the viewer may see them. */
export async function listOrganizationOrders(needs: Needs, organizationId: Id, page: PageArguments) {
  if (!needs.viewer) throw unauthenticated();
  const workspaces = await needs.permissions.workspacesWith(needs.viewer, organizationId, PERMISSION);
  return listWhere(needs, { workspaceId: { in: [...workspaces] } }, page, 'staff');
}

/**
 * What a filter asks of an order.
 *
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export function whereOf({
  query,
  status,
  startDate,
  endDate,
  ticketGroupId,
}: OrderFilter): Prisma.OrderTicketGroupWhereInput {
  if (startDate && endDate && startDate > endDate) {
    throw badInput([{ path: 'startDate', message: 'must not be after endDate' }]);
  }
  const contains = {
    contains: literally((query ?? '').replaceAll('\0', '')),
    mode: 'insensitive' as const,
  };
  return {
    ...(status && { transactionStatus: status }),
    ...(ticketGroupId && { ticketGroupId: serialId(ticketGroupId) ?? -1n }),
    ...((startDate || endDate) && {
      createdAt: { ...(startDate && { gte: startOf(startDate) }), ...(endDate && { lt: endOf(endDate) }) },
    }),
    ...(query && { OR: [{ orderNo: contains }, { buyerName: contains }, { buyerEmail: contains }] }),
  };
}

async function listWhere(
  { db }: Needs,
  where: Prisma.OrderTicketGroupWhereInput,
  page: PageArguments,
  seenBy: Eyes,
): Promise<OrderPage> {
  const { first, take, skip, after } = readPage(page);
  const cursor = readCursor(after);
  const [createdAt, orderTicketGroupId] = [cursorMoment(cursor?.[0]), serialId(cursor?.[1] ?? '')];
  const rows = await db.orderTicketGroup.findMany({
    where: {
      AND: [
        where,
        createdAt && orderTicketGroupId
          ? { OR: [{ createdAt: { lt: createdAt } }, { createdAt, orderTicketGroupId: { lt: orderTicketGroupId } }] }
          : {},
      ],
    },
    orderBy: [{ createdAt: 'desc' }, { orderTicketGroupId: 'desc' }],
    take,
    skip,
  });
  const seen = rows.map((row) => ({ ...row, seenBy }));
  const connection = connectionOf(seen, first, (row) => cursorOf(row.createdAt.toISOString(), row.orderTicketGroupId));
  return { ...connection, where };
}
