import { permitInOrganization } from '@foyer/shared/auth/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { CreateWorkspaceInput } from '../generated/graphql.ts';
import { readDescription, readName } from '../name.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { workspaceAsSeen, type SeenWorkspace } from './workspace.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db'>;

/** Creates a workspace. */
export async function createWorkspace(
  needs: Needs,
  { name, description = '', ...input }: CreateWorkspaceInput,
): Promise<SeenWorkspace> {
  const { organizationId } = await permitInOrganization(needs, input.organizationId, 'org:workspaces:create');
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    const workspace = await tx.workspace.create({
      data: { organizationId, name: readName(name), description: readDescription(description) },
    });
    await auditChange(needs, tx, {
      organizationId,
      action: 'workspace.created',
      target: { kind: 'workspace', id: workspace.id },
      details: { name },
    });
    return workspaceAsSeen(workspace, true);
  });
}
