import type { Delivery, DeliveryState, OrderTicketGroup, Prisma } from '@foyer/prisma/client';
import { serialId } from '@foyer/shared/ids';
import { connectionOf, cursorOf, readMomentCursor, readPage, type PageArguments } from '@foyer/shared/pagination';

import { roleScopeOf } from '../access/role-scope.ts';
import type { Context } from '../context.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/** A mail with its order. */
export type MailOfOrder = Delivery & { order: OrderTicketGroup };

/** A page of mails. `where` selects the whole list, which is counted only when a client requests the total. */
export interface MailPage {
  edges: { cursor: string; node: MailOfOrder }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  where: Prisma.DeliveryWhereInput;
}

/**
 * Lists the mails about the orders of every workspace where the viewer holds `orders:view`; for a SYSADMIN, all.
 *
 * @throws {Refusal} `FORBIDDEN` for customers
 */
export async function listMails(
  needs: Needs,
  { state, ...page }: PageArguments & { state: DeliveryState },
): Promise<MailPage> {
  const scope = await roleScopeOf(needs, 'orders:view');
  const where = { state, ...(Object.keys(scope).length > 0 && { order: scope }) };
  const { first, take, skip, after } = readPage(page);
  const cursor = readMomentCursor(after, serialId);
  const rows = await needs.db.delivery.findMany({
    where: {
      ...where,
      ...(cursor && {
        createdAt: { lte: cursor.moment }, // for the index
        OR: [{ createdAt: { lt: cursor.moment } }, { deliveryId: { lt: cursor.id } }],
      }),
    },
    include: { order: true },
    orderBy: [{ createdAt: 'desc' }, { deliveryId: 'desc' }],
    take,
    skip,
  });
  const connection = connectionOf(rows, first, (row) => cursorOf(row.createdAt.toISOString(), row.deliveryId));
  return { ...connection, where };
}
