import { Prisma, type TicketGroup } from '@foyer/prisma/client';
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
  const rows = filter?.tag
    ? await ticketGroupsWith(db, { tag: filter.tag.replaceAll('\0', ''), organizationId, after, take })
    : await db.ticketGroup.findMany({
        where: { isActive: true, ...(organizationId && { organizationId }), ...afterPlacement(after) },
        orderBy: [{ placement: 'asc' }, { ticketGroupId: 'asc' }],
        take,
      });
  return connectionOf(rows, first, (row) => cursorOf(row.placement, row.ticketGroupId));
}

/** All columns of a ticket group, under Prisma's names. */
const columns = Prisma.raw(
  Object.keys(Prisma.TicketGroupScalarFieldEnum)
    .map((field) => `g.${field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS "${field}"`)
    .join(', '),
);

interface Tagged {
  tag: string;
  organizationId: string | null | undefined;
  after: string | undefined;
  take: number;
}

/** Reads the ticket groups on offer with a tag: in one statement, so that each still has it. */
function ticketGroupsWith(db: Needs['db'], { tag, organizationId, after, take }: Tagged): Promise<TicketGroup[]> {
  const cursor = readPlacementCursor(after);
  return db.$queryRaw<TicketGroup[]>`
    SELECT ${columns} FROM (
      SELECT ticket_group_id, placement FROM ticketing.ticket_group_tag
      WHERE tag = ${tag}
        ${organizationId ? Prisma.sql`AND organization_id = ${organizationId}::uuid` : Prisma.empty}
        ${cursor ? Prisma.sql`AND (placement, ticket_group_id) > (${cursor.placement}, ${cursor.id})` : Prisma.empty}
      ORDER BY placement, ticket_group_id LIMIT ${take}
    ) t JOIN ticketing.ticket_group g USING (ticket_group_id)
    ORDER BY t.placement, t.ticket_group_id`;
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
