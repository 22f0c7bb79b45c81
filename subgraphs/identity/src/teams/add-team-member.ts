import type { TeamMember } from '@foyer/prisma/client';

import type { TeamMemberInput } from '../generated/graphql.ts';
import { assertNotDirectly } from '../members/double-access.ts';
import { readName } from '../name.ts';
import { assertMember } from '../users/assert-member.ts';
import { changeTeam, type TeamNeeds } from './change-team.ts';
import { alreadyInTeam } from './refusals.ts';

/** Takes a member of the organization into a team. */
export function addTeamMember(
  needs: TeamNeeds,
  { organizationId, teamId, userId, role = 'member' }: TeamMemberInput,
): Promise<TeamMember> {
  return changeTeam(needs, {
    organizationId,
    teamId,
    action: 'team-member.added',
    details: { userId, role },
    async make(tx, team) {
      await assertMember(tx, team.organizationId, userId);
      const grants = await tx.teamWorkspaceRole.findMany({ where: { teamId: team.id } });
      await assertNotDirectly(
        tx,
        grants.map(({ workspaceId }) => workspaceId),
        [userId],
      );
      const [member] = await tx.teamMember.createManyAndReturn({
        data: { teamId: team.id, userId, role: readName(role) },
        skipDuplicates: true,
      });
      if (!member) throw alreadyInTeam();
      return member;
    },
  });
}
