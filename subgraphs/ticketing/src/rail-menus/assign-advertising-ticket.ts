import { isReferenceViolation } from '@foyer/shared/database-errors';
import { serialId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { mayChangeByRole } from '../access/role-scope.ts';
import { findManagedAdvertisingTicket } from '../advertising-tickets/find-managed-advertising-ticket.ts';
import { assignmentNotFound, railMenuNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

const PERMISSION = 'advertising:manage';

interface Pair {
  railMenuId: string;
  advertisingTicketId: string;
}

/**
 * Assigns an advertising ticket to a rail menu. Repeating it changes nothing.
 *
 * @throws {Refusal} `ADVERTISING_TICKET_NOT_FOUND`, `RAIL_MENU_NOT_FOUND`
 */
export async function assignToRailMenu(needs: Needs, pair: Pair) {
  const { ticket, link } = await bothOf(needs, pair);
  await needs.db.railMenuAdvertisingTicket
    .createMany({ data: [link], skipDuplicates: true })
    .catch((error: unknown) => {
      throw isReferenceViolation(error) ? railMenuNotFound() : error; // somebody has just deleted one of them
    });
  return ticket;
}

/**
 * Removes an advertising ticket from a rail menu.
 *
 * @throws {Refusal} `ADVERTISING_TICKET_NOT_FOUND`, `RAIL_MENU_NOT_FOUND`, `ASSIGNMENT_NOT_FOUND`
 */
export async function unassignFromRailMenu(needs: Needs, pair: Pair) {
  const { ticket, link } = await bothOf(needs, pair);
  const { count } = await needs.db.railMenuAdvertisingTicket.deleteMany({ where: link });
  if (count === 0) throw assignmentNotFound();
  return ticket;
}

async function bothOf(needs: Needs, pair: Pair) {
  const ticket = await findManagedAdvertisingTicket(needs, pair.advertisingTicketId);
  const { railMenuId } = await findManagedRail(needs, pair.railMenuId);
  return { ticket, link: { railMenuId, advertisingTicketId: ticket.advertisingTicketId } };
}

/**
 * Finds a rail menu that the viewer may put advertising tickets into.
 *
 * @throws {Refusal} `RAIL_MENU_NOT_FOUND`, for whatever reason
 */
async function findManagedRail(needs: Needs, id: string) {
  const found = await needs.db.railMenu.findUnique({ where: { railMenuId: serialId(id) ?? -1n } });
  if (!(await mayChangeByRole(needs, PERMISSION, found ?? unowned)) || !found) throw railMenuNotFound();
  return found;
}

/** So that a viewer who is not signed in hears that first, not that there is no such rail menu. */
const unowned = { organizationId: null, workspaceId: null };
