import type { WorkspaceMember } from '@foyer/prisma/client';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { WorkspaceMemberInput } from '../generated/graphql.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { assertMayGrant } from '../permissions/assert-may-grant.ts';
import { requireRoleGrant } from '../permissions/role-grant.ts';
import { assertMember } from '../users/assert-member.ts';
import { assertNotThroughTeam } from './double-access.ts';
import { permitMembersChange } from './permit-members-change.ts';
import { alreadyMember } from './refusals.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db'>;

/** Gives a member of the organization direct access to a workspace. */
export async function addWorkspaceMember(
  needs: Needs,
  { userId, role, ...workspace }: WorkspaceMemberInput,
): Promise<WorkspaceMember> {
  const change = await permitMembersChange(needs, workspace);
  const { organizationId, workspaceId } = change;
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    await assertMember(tx, organizationId, userId);
    const { permissions } = await requireRoleGrant(tx, { organizationId, scope: 'workspace' }, role);
    await assertMayGrant(tx, needs.viewer, organizationId, [{ workspaceId, permissions }]);
    await assertNotThroughTeam(tx, workspaceId, userId);
    const [member] = await tx.workspaceMember.createManyAndReturn({
      data: { workspaceId, userId, role },
      skipDuplicates: true,
    });
    if (!member) throw alreadyMember();
    await auditChange(needs, tx, {
      organizationId,
      action: 'workspace-member.added',
      target: { kind: 'user', id: userId },
      details: { workspaceId, role },
    });
    return member;
  });
}
