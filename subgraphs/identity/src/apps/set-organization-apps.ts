import { permitOverOrganization } from '@foyer/shared/auth/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { SetOrganizationAppsInput } from '../generated/graphql.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { organizationAsSeen, type SeenOrganization } from '../tenancy/organization.ts';
import { assertApps } from './assert-apps.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db'>;

/** Sets the apps that an organization may use. An app that it loses, its workspaces lose too. */
export async function setOrganizationApps(
  needs: Needs,
  { appIds, ...input }: SetOrganizationAppsInput,
): Promise<SeenOrganization> {
  const { organizationId } = await permitOverOrganization(needs, input.organizationId, 'org:manage');
  const wanted = [...new Set(appIds)].toSorted();
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    await assertApps(tx, wanted);
    await tx.organizationApp.deleteMany({ where: { organizationId, appId: { notIn: wanted } } });
    await tx.workspaceApp.deleteMany({ where: { workspace: { organizationId }, appId: { notIn: wanted } } });
    await tx.organizationApp.createMany({
      data: wanted.map((appId) => ({ organizationId, appId })),
      skipDuplicates: true,
    });
    await auditChange(needs, tx, {
      organizationId,
      action: 'organization.apps-set',
      target: { kind: 'organization', id: organizationId },
      details: { apps: wanted },
    });
    return organizationAsSeen(await tx.organization.findUniqueOrThrow({ where: { id: organizationId } }), true);
  });
}
