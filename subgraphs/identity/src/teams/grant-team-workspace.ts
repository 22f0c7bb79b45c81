import type { TeamWorkspaceRole } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { isUuid, unproven, type GivenId, type Id } from '@foyer/shared/ids';

import type { TeamWorkspaceInput } from '../generated/graphql.ts';
import { assertNotDirectly } from '../members/double-access.ts';
import { assertMayGrant } from '../permissions/assert-may-grant.ts';
import { requireRoleGrant } from '../permissions/role-grant.ts';
import { workspaceNotFound } from '../workspaces/refusals.ts';
import { changeTeam, type TeamNeeds } from './change-team.ts';
import { alreadyGranted } from './refusals.ts';

/** Gives a team a role in a workspace of the same organization. */
export function grantTeamWorkspace(
  needs: TeamNeeds,
  { teamId, role, ...input }: TeamWorkspaceInput,
): Promise<TeamWorkspaceRole> {
  return changeTeam(needs, {
    organizationId: input.organizationId,
    teamId,
    action: 'team-workspace.granted',
    details: { workspaceId: unproven(input.workspaceId), role },
    async make(tx, team) {
      const { organizationId } = team;
      const workspaceId = await findWorkspaceIn(tx, organizationId, input.workspaceId);
      const { permissions } = await requireRoleGrant(tx, { organizationId, scope: 'workspace' }, role);
      await assertMayGrant(tx, needs.viewer, organizationId, [{ workspaceId, permissions }]);
      const people = await tx.teamMember.findMany({ where: { teamId: team.id } });
      await assertNotDirectly(
        tx,
        [workspaceId],
        people.map(({ userId }) => userId),
      );
      const [grant] = await tx.teamWorkspaceRole.createManyAndReturn({
        data: { teamId: team.id, workspaceId, roleId: role },
        skipDuplicates: true,
      });
      if (!grant) throw alreadyGranted();
      return grant;
    },
  });
}

/** Finds the named workspace, if it belongs to the organization. */
async function findWorkspaceIn(tx: IdentityTransaction, organizationId: Id, given: GivenId): Promise<Id> {
  const id = unproven(given);
  const found = isUuid(id) && (await tx.workspace.findUnique({ where: { id, organizationId } }));
  if (!found) throw workspaceNotFound();
  return found.id;
}
