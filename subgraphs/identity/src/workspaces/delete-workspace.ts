import { isUuid, unproven } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { DeleteWorkspaceInput } from '../generated/graphql.ts';
import { endBusiness } from '../tenancy/end-business.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { workspaceNotFound } from './refusals.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db' | 'jobs'>;

/** Deletes a workspace with its direct access, team grants and apps. */
export async function deleteWorkspace(needs: Needs, input: DeleteWorkspaceInput): Promise<string> {
  const { organizationId } = await permitInOrganization(needs, input.organizationId, 'org:workspaces:delete');
  const workspaceId = unproven(input.workspaceId); // looked up in this organization only
  if (!isUuid(workspaceId)) throw workspaceNotFound();
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const { count } = await tx.workspace.deleteMany({ where: { id: workspaceId, organizationId } });
    if (count === 0) throw workspaceNotFound();
    await endBusiness(needs, tx, { workspaceIds: [workspaceId] });
    await auditChange(needs, tx, {
      organizationId,
      action: 'workspace.deleted',
      target: { kind: 'workspace', id: workspaceId },
    });
    return workspaceId;
  });
}
