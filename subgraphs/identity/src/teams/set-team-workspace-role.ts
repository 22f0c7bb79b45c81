import type { TeamWorkspaceRole } from '@foyer/prisma/client';
import { isUuid } from '@foyer/shared/ids';

import type { TeamWorkspaceInput } from '../generated/graphql.ts';
import { assertMayGrant } from '../permissions/assert-may-grant.ts';
import { requireRoleGrant } from '../permissions/role-grant.ts';
import { changeTeam, type TeamNeeds } from './change-team.ts';
import { notGranted } from './refusals.ts';

/** Gives a team another role in a workspace; it holds from the next request on. */
export function setTeamWorkspaceRole(
  needs: TeamNeeds,
  { organizationId, teamId, workspaceId, role }: TeamWorkspaceInput,
): Promise<TeamWorkspaceRole> {
  return changeTeam(needs, {
    organizationId,
    teamId,
    action: 'team-workspace.role-changed',
    details: { workspaceId, role },
    async make(tx, team) {
      const { organizationId } = team;
      const { permissions } = await requireRoleGrant(tx, { organizationId, scope: 'workspace' }, role);
      if (!isUuid(workspaceId)) throw notGranted();
      const where = { teamId_workspaceId: { teamId: team.id, workspaceId } };
      if (!(await tx.teamWorkspaceRole.findUnique({ where }))) throw notGranted();
      // Before the change: the viewer may be in the team.
      await assertMayGrant(tx, needs.viewer, organizationId, [{ workspaceId, permissions }]);
      return tx.teamWorkspaceRole.update({ where, data: { roleId: role } });
    },
  });
}
