import type { TeamMember } from '@foyer/prisma/client';
import { isUuid } from '@foyer/shared/ids';

import type { TeamMemberInput } from '../generated/graphql.ts';
import { readName } from '../name.ts';
import { changeTeam, type TeamNeeds } from './change-team.ts';
import { notInTeam } from './refusals.ts';

/** Changes the role of a person in a team. */
export function setTeamMemberRole(
  needs: TeamNeeds,
  { organizationId, teamId, userId, role = 'member' }: TeamMemberInput,
): Promise<TeamMember> {
  return changeTeam(needs, {
    organizationId,
    teamId,
    action: 'team-member.role-changed',
    details: { userId, role },
    async make(tx, team) {
      if (!isUuid(userId)) throw notInTeam();
      const [member] = await tx.teamMember.updateManyAndReturn({
        where: { teamId: team.id, userId },
        data: { role: readName(role) },
      });
      if (!member) throw notInTeam();
      return member;
    },
  });
}
