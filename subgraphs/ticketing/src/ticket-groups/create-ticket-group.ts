import type { TicketGroup } from '@foyer/prisma/client';
import type { GivenId } from '@foyer/shared/ids';
import { permitInWorkspace } from '@foyer/shared/auth/permissions';
import { isUniqueViolation } from '@foyer/shared/database-errors';

import type { Context } from '../context.ts';
import { withImage } from '../images/with-image.ts';
import { forbiddenUnlessUuid } from '../access/staff-scope.ts';
import { slugTaken } from '../catalogue/refusals.ts';
import { drawUpTicketGroup } from './ticket-group.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions' | 'mediaDirectory'>;

/**
 * Creates a ticket group of a workspace. It sells nothing until it has variants.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `SLUG_TAKEN`, `MEDIA_NOT_FOUND`
 */
export async function createTicketGroup(
  needs: Needs,
  { workspaceId, input }: { workspaceId: GivenId; input: unknown },
): Promise<TicketGroup> {
  const owner = await permitInWorkspace(needs, forbiddenUnlessUuid(workspaceId), 'catalogue:manage');
  const data = { ...(await withImage(needs, drawUpTicketGroup(input))), ...owner };
  return needs.db.ticketGroup.create({ data }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? slugTaken() : error;
  });
}
