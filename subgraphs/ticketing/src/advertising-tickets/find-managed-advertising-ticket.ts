import { serialId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { mayChangeByRole } from '../access/role-scope.ts';
import { advertisingTicketNotFound } from './refusals.ts';

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
  if (!(await mayChangeByRole(needs, PERMISSION, found ?? unowned)) || !found) throw advertisingTicketNotFound();
  return found;
}

/** So that a viewer who is not signed in hears that first, not that there is no such advertising ticket. */
const unowned = { organizationId: null, workspaceId: null };
