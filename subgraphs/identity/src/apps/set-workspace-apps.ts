import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { SetWorkspaceAppsInput } from '../generated/graphql.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { permitWorkspaceChange } from '../workspaces/permit-workspace-change.ts';
import { workspaceAsSeen, type SeenWorkspace } from '../workspaces/workspace.ts';
import { assertApps } from './assert-apps.ts';
import { appsNotGranted } from './refusals.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db'>;

/** Sets which of its organization's apps a workspace uses. */
export async function setWorkspaceApps(needs: Needs, input: SetWorkspaceAppsInput): Promise<SeenWorkspace> {
  const { organizationId, workspaceId } = await permitWorkspaceChange(needs, input, {
    inWorkspace: 'workspace:apps:manage',
    inOrganization: 'org:apps:manage',
  });
  const wanted = [...new Set(input.appIds)].toSorted();
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    await assertApps(tx, wanted);
    const granted = new Set(
      (await tx.organizationApp.findMany({ where: { organizationId } })).map(({ appId }) => appId),
    );
    const withheld = wanted.filter((id) => !granted.has(id));
    if (withheld.length > 0) throw appsNotGranted(withheld);

    await tx.workspaceApp.deleteMany({ where: { workspaceId, appId: { notIn: wanted } } });
    await tx.workspaceApp.createMany({ data: wanted.map((appId) => ({ workspaceId, appId })), skipDuplicates: true });
    await auditChange(needs, tx, {
      organizationId,
      action: 'workspace.apps-set',
      target: { kind: 'workspace', id: workspaceId },
      details: { apps: wanted },
    });
    return workspaceAsSeen(await tx.workspace.findUniqueOrThrow({ where: { id: workspaceId } }), true);
  });
}
