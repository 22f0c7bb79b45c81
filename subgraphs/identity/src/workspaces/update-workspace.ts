import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { UpdateWorkspaceInput } from '../generated/graphql.ts';
import { changesOf } from '../name.ts';
import { permitWorkspaceChange } from './permit-workspace-change.ts';
import { workspaceNotFound } from './refusals.ts';
import { workspaceAsSeen, type SeenWorkspace } from './workspace.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db'>;

/** Changes the name and description of a workspace. */
export async function updateWorkspace(needs: Needs, input: UpdateWorkspaceInput): Promise<SeenWorkspace> {
  const { organizationId, workspaceId } = await permitWorkspaceChange(needs, input, {
    inWorkspace: 'workspace:manage',
    inOrganization: 'org:workspaces:manage',
  });
  const data = changesOf(input);
  return needs.db.$transaction(async (tx) => {
    const [workspace] = await tx.workspace.updateManyAndReturn({ where: { id: workspaceId, organizationId }, data });
    if (!workspace) throw workspaceNotFound();
    await auditChange(needs, tx, {
      organizationId,
      action: 'workspace.updated',
      target: { kind: 'workspace', id: workspaceId },
      details: data,
    });
    return workspaceAsSeen(workspace, true);
  });
}
