import type { Prisma } from '@foyer/prisma/client';
import { badInput } from '@foyer/shared/errors';
import { serialId } from '@foyer/shared/ids';
import { literally } from '@foyer/shared/literal-pattern';
import { takeOfSearch } from '@foyer/shared/pagination';
import { z } from 'zod';

import type { RoleScope } from '../access/role-scope.ts';
import type { Context } from '../context.ts';
import type { OrderFilter } from '../generated/graphql.ts';
import { endOf, startOf } from '../units/calendar.ts';
import { emailAddress } from '../units/email-address.ts';
import { isWholeOrderNo } from './order.ts';

type Where = Prisma.OrderTicketGroupWhereInput;

/** An address with more orders is looked for by the index of parts: its rows are many anyhow. */
const MOST_ORDERS = 100;
const Address = z.string().trim().pipe(emailAddress);

/**
 * Turns a filter into a condition for the orders that the viewer may see. A whole e-mail address means the orders with it,
 * found by their own index; the index of parts reads every order with the same provider. When none of the viewer's has it, it is
 * a part, like every other text.
 *
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export async function matchingOrders(
  { db }: Pick<Context, 'db'>,
  scope: RoleScope,
  filter: OrderFilter,
): Promise<Where> {
  const where = whereOf(filter);
  const address = Address.safeParse(filter.query);
  if (!address.success) return { AND: [scope, where] };
  const withAddress = { AND: [scope, await ofAddress(db, address.data)] };
  const some = await db.orderTicketGroup.findMany({
    where: withAddress,
    select: { version: true },
    take: takeOfSearch(1),
  });
  if (some.length === 0) return { AND: [scope, where] };
  return { AND: [withAddress, whereOf({ ...filter, query: null })] };
}

/** Returns the condition for the orders of an address, in any organization: it names them, unless they are too many for that. */
async function ofAddress(db: Context['db'], address: string): Promise<Where> {
  const found = await db.$queryRaw<{ id: bigint }[]>`
    SELECT order_ticket_group_id AS id FROM ticketing.order_ticket_group WHERE lower(buyer_email) = lower(${address})
    LIMIT ${MOST_ORDERS + 1}`;
  if (found.length > MOST_ORDERS) return { buyerEmail: { equals: literally(address), mode: 'insensitive' } };
  return { orderTicketGroupId: { in: found.map(({ id }) => id) } };
}

/**
 * Turns a filter into a condition for orders.
 *
 * @throws {Refusal} `VALIDATION_FAILED`
 */
export function whereOf({
  query,
  status,
  startDate,
  endDate,
  ticketGroupId,
  review,
  reviewReason,
}: OrderFilter): Where {
  if (startDate && endDate && startDate > endDate) {
    throw badInput([{ path: 'startDate', message: 'must not be after endDate' }]);
  }
  return {
    ...(status && { transactionStatus: status }),
    // The partial indexes of reviews contain only rows with a reason.
    ...((review || reviewReason) && { reviewReason: reviewReason ?? { not: null } }),
    ...(review && { reviewResolvedAt: review === 'OPEN' ? null : { not: null } }),
    ...(ticketGroupId && { ticketGroupId: serialId(ticketGroupId) ?? -1n }),
    ...((startDate || endDate) && {
      createdAt: { ...(startDate && { gte: startOf(startDate) }), ...(endDate && { lt: endOf(endDate) }) },
    }),
    ...(query && containing(query)),
  };
}

/** A whole order number is found by its own index: the indexes of parts read all orders of its day. */
function containing(query: string): Where {
  const text = query.replaceAll('\0', '');
  if (isWholeOrderNo(text.trim())) return { orderNo: text.trim().toUpperCase() };
  const contains = { contains: literally(text), mode: 'insensitive' as const };
  return { OR: [{ orderNo: contains }, { buyerName: contains }, { buyerEmail: contains }] };
}
