import type { RailMenu } from '@foyer/prisma/client';
import { isReferenceViolation } from '@foyer/shared/database-errors';

import { assignmentNotFound, railMenuNotFound } from './refusals.ts';
import type { Context } from '../context.ts';
import { findManagedTicketGroup } from '../ticket-groups/find-managed-ticket-group.ts';
import { findManagedRailMenu } from './find-managed-rail-menu.ts';
import { readPlacement } from './rail-menu.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

interface Pair {
  railMenuId: string;
  ticketGroupId: string;
}

/**
 * Places a ticket group in a rail menu of the same organization. Repeating it only moves the group.
 *
 * @throws {Refusal} `RAIL_MENU_NOT_FOUND`, `TICKET_GROUP_NOT_FOUND`, `VALIDATION_FAILED`
 */
export async function placeTicketGroup(
  needs: Needs,
  { placement: wanted, ...pair }: Pair & { placement?: number | null | undefined },
): Promise<RailMenu> {
  const { rail, link } = await bothOf(needs, pair);
  const placement = readPlacement(wanted);
  await needs.db.railMenuTicketGroup
    .upsert({ where: { railMenuId_ticketGroupId: link }, create: { ...link, placement }, update: { placement } })
    .catch((error: unknown) => {
      throw isReferenceViolation(error) ? railMenuNotFound() : error; // somebody has just deleted one of them
    });
  return rail;
}

/**
 * Removes a ticket group from a rail menu.
 *
 * @throws {Refusal} `RAIL_MENU_NOT_FOUND`, `TICKET_GROUP_NOT_FOUND`, `ASSIGNMENT_NOT_FOUND`
 */
export async function removeTicketGroup(needs: Needs, pair: Pair): Promise<RailMenu> {
  const { rail, link } = await bothOf(needs, pair);
  const { count } = await needs.db.railMenuTicketGroup.deleteMany({ where: link });
  if (count === 0) throw assignmentNotFound();
  return rail;
}

async function bothOf(needs: Needs, { railMenuId, ticketGroupId }: Pair) {
  const rail = await findManagedRailMenu(needs, railMenuId);
  const group = await findManagedTicketGroup(needs, ticketGroupId);
  return { rail, link: { railMenuId: rail.railMenuId, ticketGroupId: group.ticketGroupId } };
}
