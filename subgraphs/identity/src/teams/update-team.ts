import type { Team } from '@foyer/prisma/client';

import type { UpdateTeamInput } from '../generated/graphql.ts';
import { changesOf } from '../name.ts';
import { changeTeam, type TeamNeeds } from './change-team.ts';

/** Changes the name and description of a team. */
export function updateTeam(needs: TeamNeeds, { organizationId, teamId, ...input }: UpdateTeamInput): Promise<Team> {
  const data = changesOf(input);
  return changeTeam(needs, {
    organizationId,
    teamId,
    action: 'team.updated',
    details: data,
    make: (tx, { id }) => tx.team.update({ where: { id }, data }),
  });
}
