import { unproven } from '@foyer/shared/ids';

import type { RevokeTeamWorkspaceInput } from '../generated/graphql.ts';
import { changeTeam, type TeamNeeds } from './change-team.ts';
import { findTeamWorkspace } from './find-team-workspace.ts';

/** Removes a team's role in a workspace; the access ends at once. */
export function revokeTeamWorkspace(needs: TeamNeeds, { teamId, ...input }: RevokeTeamWorkspaceInput): Promise<string> {
  return changeTeam(needs, {
    organizationId: input.organizationId,
    teamId,
    action: 'team-workspace.revoked',
    details: { workspaceId: unproven(input.workspaceId) },
    async make(tx, team) {
      const { workspaceId } = await findTeamWorkspace(tx, team.id, input.workspaceId);
      await tx.teamWorkspaceRole.delete({ where: { teamId_workspaceId: { teamId: team.id, workspaceId } } });
      return workspaceId;
    },
  });
}
