import { isUuid } from '@foyer/shared/ids';

import type { RemoveTeamMemberInput } from '../generated/graphql.ts';
import { changeTeam, type TeamNeeds } from './change-team.ts';
import { notInTeam } from './refusals.ts';

/** Removes a person from a team; the access through it ends at once. */
export function removeTeamMember(
  needs: TeamNeeds,
  { organizationId, teamId, userId }: RemoveTeamMemberInput,
): Promise<string> {
  return changeTeam(needs, {
    organizationId,
    teamId,
    action: 'team-member.removed',
    details: { userId },
    async make(tx, team) {
      if (!isUuid(userId)) throw notInTeam();
      const { count } = await tx.teamMember.deleteMany({ where: { teamId: team.id, userId } });
      if (count === 0) throw notInTeam();
      return userId;
    },
  });
}
