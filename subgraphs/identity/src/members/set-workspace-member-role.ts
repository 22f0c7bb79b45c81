import type { WorkspaceMember } from '@foyer/prisma/client';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { WorkspaceMemberInput } from '../generated/graphql.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { assertMayGrant } from '../permissions/assert-may-grant.ts';
import { requireRoleGrant } from '../permissions/role-grant.ts';
import { findDirectAccess } from './find-direct-access.ts';
import { permitMembersChange } from './permit-members-change.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db'>;

/** Gives a person with direct access another role, from the next request on. */
export async function setWorkspaceMemberRole(
  needs: Needs,
  { userId, role, ...workspace }: WorkspaceMemberInput,
): Promise<WorkspaceMember> {
  const change = await permitMembersChange(needs, workspace);
  const { organizationId, workspaceId } = change;
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const before = await findDirectAccess(tx, change, userId);
    const { permissions } = await requireRoleGrant(tx, { organizationId, scope: 'workspace' }, role);
    await assertMayGrant(tx, needs.viewer, organizationId, [{ workspaceId, permissions }]);
    await auditChange(needs, tx, {
      organizationId,
      action: 'workspace-member.role-changed',
      target: { kind: 'user', id: userId },
      details: { workspaceId, from: before.role, to: role },
    });
    return tx.workspaceMember.update({ where: { workspaceId_userId: { workspaceId, userId } }, data: { role } });
  });
}
