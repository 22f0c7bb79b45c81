import { isUuid, serialId, unproven, type GivenId } from '@foyer/shared/ids';
import { connectionOf, cursorOf, readPage, type PageArguments } from '@foyer/shared/pagination';

import type { Context } from '../context.ts';
import { readPlacementCursor } from '../catalogue/placement-cursor.ts';
import { ticketGroupNotFound } from '../catalogue/refusals.ts';

type Needs = Pick<Context, 'db'>;

interface Filter {
  organizationId?: GivenId | null | undefined;
  tag?: string | null | undefined;
}

/** Lists the ticket groups on offer. */
export async function findTicketGroups(
  { db }: Needs,
  { filter, ...page }: PageArguments & { filter?: Filter | null | undefined },
) {
  const organizationId = unproven(filter?.organizationId); // public, so no permission is needed
  if (organizationId && !isUuid(organizationId)) return connectionOf([], 1, String);
  const { first, take, after } = readPage(page);
  const rows = await db.ticketGroup.findMany({
    where: {
      isActive: true,
      ...(organizationId && { organizationId }),
      ...(filter?.tag && { tags: { has: filter.tag.replaceAll('\0', '') } }),
      ...afterPlacement(after),
    },
    orderBy: [{ placement: 'asc' }, { ticketGroupId: 'asc' }],
    take,
  });
  return connectionOf(rows, first, (row) => cursorOf(row.placement, row.ticketGroupId));
}

/**
 * Finds a ticket group on offer by its id.
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`
 */
export async function findTicketGroup({ db }: Needs, ticketGroupId: string) {
  const id = serialId(ticketGroupId);
  const group = id && (await db.ticketGroup.findFirst({ where: { ticketGroupId: id, isActive: true } }));
  if (!group) throw ticketGroupNotFound();
  return group;
}

/** Selects the ticket groups after a cursor in a list by placement. */
export function afterPlacement(cursor: string | undefined) {
  const after = readPlacementCursor(cursor);
  if (!after) return {};
  const { placement, id } = after;
  // The first condition is the index's; the second decides among equals.
  return {
    placement: { gte: placement },
    OR: [{ placement: { gt: placement } }, { ticketGroupId: { gt: id } }],
  };
}
