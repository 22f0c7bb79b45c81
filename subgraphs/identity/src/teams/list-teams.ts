import { isUuid, type GivenId, type Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { permitReading, type ReadingNeeds } from '../tenancy/permit-reading.ts';
import { readConnection, uuidAfter, type PageArguments } from '@foyer/shared/pagination';
import { teamNotFound } from './refusals.ts';

type Needs = ReadingNeeds & Pick<Context, 'db'>;

type OfOrganization = PageArguments & { organizationId?: GivenId | null | undefined };

/** Lists the teams of an organization. */
export async function listTeams(needs: Needs, { organizationId: given, ...args }: OfOrganization) {
  const { organizationId } = await permitReading(needs, given);
  return readConnection(args, {
    find: ({ after, ...range }) =>
      needs.db.team.findMany({
        where: { organizationId, id: uuidAfter(after) },
        orderBy: { id: 'asc' },
        ...range,
      }),
    count: () => needs.db.team.count({ where: { organizationId } }),
    keyOf: ({ id }) => id,
  });
}

/** Lists the people in a team. */
export async function listTeamMembers(
  needs: Needs,
  { organizationId: given, teamId, ...args }: OfOrganization & { teamId: Id },
) {
  const { organizationId } = await permitReading(needs, given);
  const where = { teamId, team: { organizationId } };
  if (!isUuid(teamId) || (await needs.db.team.count({ where: { id: teamId, organizationId } })) === 0)
    throw teamNotFound();
  return readConnection(args, {
    find: ({ after, ...range }) =>
      needs.db.teamMember.findMany({
        where: { ...where, userId: uuidAfter(after) },
        orderBy: { userId: 'asc' },
        ...range,
      }),
    count: () => needs.db.teamMember.count({ where }),
    keyOf: ({ userId }) => userId,
  });
}
