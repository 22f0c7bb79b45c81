import type { TeamWorkspaceRole } from '@foyer/prisma/client';

import type { TeamWorkspaceInput } from '../generated/graphql.ts';
import { isGuid } from '../guid.ts';
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
      await requireRoleGrant(tx, { organizationId: team.organizationId, scope: 'workspace' }, role);
      if (!isGuid(workspaceId)) throw notGranted();
      const [grant] = await tx.teamWorkspaceRole.updateManyAndReturn({
        where: { teamId: team.id, workspaceId },
        data: { roleId: role },
      });
      if (!grant) throw notGranted();
      return grant;
    },
  });
}
