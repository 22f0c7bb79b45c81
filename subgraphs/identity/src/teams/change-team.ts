import type { Team } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { isUuid, type GivenId, type Id } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { AuditFact } from '../audit/write-audit.ts';
import type { Context } from '../context.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { teamNotFound } from './refusals.ts';

export type TeamNeeds = AuditNeeds & Pick<Context, 'permissions' | 'db'>;

interface Change<Changed> {
  organizationId: GivenId;
  teamId: Id;
  action: string;
  details?: AuditFact['details'];
  /** The team of an organization whose roles and access nobody else changes meanwhile. */
  make(tx: IdentityTransaction, team: Team): Promise<Changed>;
}

/**
 * Runs a change of a team: requires the permission to manage the organization's teams, one change at a time, with an
 * entry in the audit log.
 *
 * @throws {Refusal} `TEAM_NOT_FOUND`
 */
export async function changeTeam<Changed>(
  needs: TeamNeeds,
  { teamId, action, details, make, ...change }: Change<Changed>,
): Promise<Changed> {
  const { organizationId } = await permitInOrganization(needs, change.organizationId, 'org:teams:manage');
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const team = isUuid(teamId) ? await tx.team.findUnique({ where: { id: teamId, organizationId } }) : null;
    if (!team) throw teamNotFound();
    const changed = await make(tx, team);
    await auditChange(needs, tx, { organizationId, action, target: { kind: 'team', id: team.id }, details });
    return changed;
  });
}
