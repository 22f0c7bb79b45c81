import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { RemoveWorkspaceMemberInput } from '../generated/graphql.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { findDirectAccess } from './find-direct-access.ts';
import { permitMembersChange } from './permit-members-change.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db'>;

/** Removes direct access to a workspace, from the next request on. */
export async function removeWorkspaceMember(
  needs: Needs,
  { userId, ...workspace }: RemoveWorkspaceMemberInput,
): Promise<string> {
  const change = await permitMembersChange(needs, workspace);
  const { organizationId, workspaceId } = change;
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const { role } = await findDirectAccess(tx, change, userId);
    await tx.workspaceMember.delete({ where: { workspaceId_userId: { workspaceId, userId } } });
    await auditChange(needs, tx, {
      organizationId,
      action: 'workspace-member.removed',
      target: { kind: 'user', id: userId },
      details: { workspaceId, role },
    });
    return userId;
  });
}
