import type { Team } from '@foyer/prisma/client';
import { permitInOrganization } from '@foyer/shared/auth/permissions';

import { auditChange } from '../audit/audit-change.ts';
import type { CreateTeamInput } from '../generated/graphql.ts';
import { readDescription, readName } from '../name.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import type { TeamNeeds } from './change-team.ts';

/** Creates an empty team. */
export async function createTeam(
  needs: TeamNeeds,
  { name, description = '', ...input }: CreateTeamInput,
): Promise<Team> {
  const { organizationId } = await permitInOrganization(needs, input.organizationId, 'org:teams:manage');
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const team = await tx.team.create({
      data: { organizationId, name: readName(name), description: readDescription(description) },
    });
    await auditChange(needs, tx, {
      organizationId,
      action: 'team.created',
      target: { kind: 'team', id: team.id },
      details: { name },
    });
    return team;
  });
}
