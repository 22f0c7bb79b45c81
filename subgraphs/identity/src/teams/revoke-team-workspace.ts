import { isUuid } from '@foyer/shared/ids';

import type { RevokeTeamWorkspaceInput } from '../generated/graphql.ts';
import { changeTeam, type TeamNeeds } from './change-team.ts';
import { notGranted } from './refusals.ts';

/** Takes a team's role in a workspace away; the access ends at once. */
export function revokeTeamWorkspace(
  needs: TeamNeeds,
  { organizationId, teamId, workspaceId }: RevokeTeamWorkspaceInput,
): Promise<string> {
  return changeTeam(needs, {
    organizationId,
    teamId,
    action: 'team-workspace.revoked',
    details: { workspaceId },
    async make(tx, team) {
      if (!isUuid(workspaceId)) throw notGranted();
      const { count } = await tx.teamWorkspaceRole.deleteMany({ where: { teamId: team.id, workspaceId } });
      if (count === 0) throw notGranted();
      return workspaceId;
    },
  });
}
