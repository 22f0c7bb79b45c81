import { unproven, type GivenId } from '@foyer/shared/ids';
import { forbidden, requireStaff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { knowsOrganization } from '../tenancy/knows-organization.ts';
import type { ReadingNeeds } from '../tenancy/permit-reading.ts';
import { readConnection, uuidAfter, type PageArguments } from '@foyer/shared/pagination';
import { knowsWorkspace } from '../workspaces/find-workspace.ts';
import { workspaceNotFound } from '../workspaces/refusals.ts';

type Needs = ReadingNeeds & Pick<Context, 'db'>;

interface OfWorkspace {
  organizationId?: GivenId | null | undefined;
  workspaceId: GivenId;
}

/** Lists the people with direct access to a workspace. */
export async function listWorkspaceMembers(
  needs: Needs,
  { organizationId: given, workspaceId, ...args }: PageArguments & OfWorkspace,
) {
  const staff = requireStaff(needs.viewer);
  const organizationId = unproven(given);
  const workspace = await needs.loaders.workspaces.load(unproven(workspaceId));
  const there = workspace && (organizationId ?? workspace.organizationId) === workspace.organizationId;
  if (!there || !(await knowsWorkspace(needs, workspace)))
    throw (await knowsOrganization(needs, organizationId ?? staff.organizationId)) ? workspaceNotFound() : forbidden();
  const where = { workspaceId: workspace.id };
  return readConnection(args, {
    find: ({ after, ...range }) =>
      needs.db.workspaceMember.findMany({
        where: { ...where, userId: uuidAfter(after) },
        orderBy: { userId: 'asc' },
        ...range,
      }),
    count: () => needs.db.workspaceMember.count({ where }),
    keyOf: ({ userId }) => userId,
  });
}
