import type { GivenId } from '@foyer/shared/ids';
import { permitInWorkspace } from '@foyer/shared/auth/permissions';
import { connectionOf, cursorOf, readPage, type PageArguments } from '@foyer/shared/pagination';

import type { Context } from '../context.ts';
import { forbiddenUnlessUuid } from '../access/staff-scope.ts';
import { afterPlacement } from './find-ticket-groups.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Lists the ticket groups of a workspace, on sale or not, by placement.
 *
 * @throws {Refusal} `FORBIDDEN`
 */
export async function listManagedTicketGroups(
  needs: Needs,
  { workspaceId, ...page }: PageArguments & { workspaceId: GivenId },
) {
  const of = await permitInWorkspace(needs, forbiddenUnlessUuid(workspaceId), 'catalogue:view');
  const { first, take, after } = readPage(page);
  const rows = await needs.db.ticketGroup.findMany({
    where: { ...of, ...afterPlacement(after) },
    orderBy: [{ placement: 'asc' }, { ticketGroupId: 'asc' }],
    take,
  });
  return connectionOf(rows, first, (row) => cursorOf(row.placement, row.ticketGroupId));
}
