import type { DeleteTeamInput } from '../generated/graphql.ts';
import { changeTeam, type TeamNeeds } from './change-team.ts';

/** Deletes a team and its workspace grants. */
export const deleteTeam = (needs: TeamNeeds, { organizationId, teamId }: DeleteTeamInput): Promise<string> =>
  changeTeam(needs, {
    organizationId,
    teamId,
    action: 'team.deleted',
    make: async (tx, { id }) => (await tx.team.delete({ where: { id } })).id,
  });
