import type { TeamWorkspaceRole } from '@foyer/prisma/client';
import { isUuid } from '@foyer/shared/ids';

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
  { organizationId, teamId, workspaceId, role }: TeamWorkspaceInput,
): Promise<TeamWorkspaceRole> {
  return changeTeam(needs, {
    organizationId,
    teamId,
    action: 'team-workspace.granted',
    details: { workspaceId, role },
    async make(tx, team) {
      const where = { id: workspaceId, organizationId: team.organizationId };
      if (!isUuid(workspaceId) || (await tx.workspace.count({ where })) === 0) throw workspaceNotFound();
      const { organizationId } = team;
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
