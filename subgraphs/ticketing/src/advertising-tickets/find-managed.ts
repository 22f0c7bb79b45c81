import { serialId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { mayChangeByRole } from '../role-scope.ts';
import { advertisingTicketNotFound, railMenuNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

const PERMISSION = 'advertising:manage';

/**
 * Finds an advertising ticket that the viewer may change.
 *
 * @throws {Refusal} `ADVERTISING_TICKET_NOT_FOUND`, for whatever reason
 */
export async function findManagedAdvertisingTicket(needs: Needs, id: string) {
  const advertisingTicketId = serialId(id) ?? -1n;
  const found = await needs.db.advertisingTicket.findUnique({ where: { advertisingTicketId } });
  if (!(await mayChangeByRole(needs, PERMISSION, found ?? nobodys)) || !found) throw advertisingTicketNotFound();
  return found;
}

/**
 * Finds a rail menu that the viewer may put cards into.
 *
 * @throws {Refusal} `RAIL_MENU_NOT_FOUND`, for whatever reason
 */
export async function findManagedRailMenu(needs: Needs, id: string) {
  const found = await needs.db.railMenu.findUnique({ where: { railMenuId: serialId(id) ?? -1n } });
  if (!(await mayChangeByRole(needs, PERMISSION, found ?? nobodys)) || !found) throw railMenuNotFound();
  return found;
}

/** Who is not signed in learns that first, not that there is nothing. */
const nobodys = { organizationId: null, workspaceId: null };
