import type { TeamWorkspaceRole } from '@foyer/prisma/client';
import { unproven } from '@foyer/shared/ids';

import type { TeamWorkspaceInput } from '../generated/graphql.ts';
import { assertMayGrant } from '../permissions/assert-may-grant.ts';
import { requireRoleGrant } from '../permissions/role-grant.ts';
import { changeTeam, type TeamNeeds } from './change-team.ts';
import { findTeamWorkspace } from './find-team-workspace.ts';

/** Gives a team another role in a workspace, from the next request on. */
export function setTeamWorkspaceRole(
  needs: TeamNeeds,
  { teamId, role, ...input }: TeamWorkspaceInput,
): Promise<TeamWorkspaceRole> {
  return changeTeam(needs, {
    organizationId: input.organizationId,
    teamId,
    action: 'team-workspace.role-changed',
    details: { workspaceId: unproven(input.workspaceId), role },
    async make(tx, team) {
      const { organizationId } = team;
      const { permissions } = await requireRoleGrant(tx, { organizationId, scope: 'workspace' }, role);
      const { teamId, workspaceId } = await findTeamWorkspace(tx, team.id, input.workspaceId);
      // Before the change: the viewer may be in the team.
      await assertMayGrant(tx, needs.viewer, organizationId, [{ workspaceId, permissions }]);
      const where = { teamId_workspaceId: { teamId, workspaceId } };
      return tx.teamWorkspaceRole.update({ where, data: { roleId: role } });
    },
  });
}
