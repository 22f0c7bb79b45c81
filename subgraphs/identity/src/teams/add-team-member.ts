import type { TeamMember, TeamWorkspaceRole } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import type { TeamMemberInput } from '../generated/graphql.ts';
import { assertNotDirectly } from '../members/double-access.ts';
import { assertMayGrant, type Granted } from '../permissions/assert-may-grant.ts';
import { findRoleGrant } from '../permissions/role-grant.ts';
import { readName } from '../name.ts';
import { assertMember } from '../users/assert-member.ts';
import { changeTeam, type TeamNeeds } from './change-team.ts';
import { alreadyInTeam } from './refusals.ts';

/** Adds a member of the organization to a team, which gives them the team's workspace grants. */
export function addTeamMember(
  needs: TeamNeeds,
  { teamId, userId, role = 'member', ...input }: TeamMemberInput,
): Promise<TeamMember> {
  return changeTeam(needs, {
    organizationId: input.organizationId,
    teamId,
    action: 'team-member.added',
    details: { userId, role },
    async make(tx, team) {
      const { organizationId } = team;
      await assertMember(tx, organizationId, userId);
      const grants = await tx.teamWorkspaceRole.findMany({ where: { teamId: team.id } });
      await assertNotDirectly(
        tx,
        grants.map(({ workspaceId }) => workspaceId),
        [userId],
      );
      await assertMayGrant(tx, needs.viewer, organizationId, await findGranted(tx, organizationId, grants));
      const [member] = await tx.teamMember.createManyAndReturn({
        data: { teamId: team.id, userId, role: readName(role) },
        skipDuplicates: true,
      });
      if (!member) throw alreadyInTeam();
      return member;
    },
  });
}

/** A deleted role grants nothing. */
async function findGranted(
  tx: IdentityTransaction,
  organizationId: Id,
  grants: readonly TeamWorkspaceRole[],
): Promise<Granted[]> {
  const granted: Granted[] = [];
  for (const { workspaceId, roleId } of grants) {
    const role = await findRoleGrant(tx, { organizationId, scope: 'workspace' }, roleId);
    if (role) granted.push({ workspaceId, permissions: role.permissions });
  }
  return granted;
}
