import type { AuthOrganization } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';
import { permitOverOrganization } from '@foyer/shared/auth/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import { noteRemoval } from '../at-provider/removals.ts';
import type { Context } from '../context.ts';
import { applicantOf } from '../self-signup/applicant.ts';
import { findOrphan } from '../self-signup/claim-at-provider.ts';
import { endAtProvider } from '../sessions/end-sessions.ts';
import { assertPlatformOwned } from '../platform/platform-ranks.ts';
import { endSessionsOfOrganization } from './end-sessions-of-organization.ts';
import { endBusiness } from '../tenancy/end-business.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { PLATFORM_ORGANIZATION_ID } from '../tenancy/platform-organization.ts';
import { platformOrganizationProtected } from './refusals.ts';

type Needs = AuditNeeds &
  Pick<Context, 'permissions' | 'db' | 'clock' | 'jobs' | 'log' | 'tokens' | 'identityProvider'>;

const TIMEOUT_MS = 30_000;

/**
 * Deletes an organization and its people: first it blocks all logins, then it deletes them at the identity provider,
 * then here. A deletion that was interrupted can be repeated.
 */
export async function deleteOrganization(needs: Needs, id: Id): Promise<string> {
  const { organizationId } = await permitOverOrganization(needs, id, 'org:delete');
  if (organizationId === PLATFORM_ORGANIZATION_ID) throw platformOrganizationProtected();

  const { account, ended } = await needs.db.$transaction(
    async (tx) => {
      await lockOrganization(tx, organizationId);
      await assertPlatformOwned(tx, { organizationId });
      const data = { status: 'disabled' } as const;
      // Undefined when only the core service knows the organization.
      const [account] = await tx.authOrganization.updateManyAndReturn({ where: { id: organizationId }, data });
      await tx.organization.update({ where: { id: organizationId }, data });
      const ended = await endSessionsOfOrganization(needs, tx, organizationId, 'organization_deleted');
      return { account, ended };
    },
    { timeout: TIMEOUT_MS },
  );
  await endAtProvider(needs, ended);
  const idpOrgId = account && (await idAtProvider(needs, account));
  if (idpOrgId) await needs.identityProvider.deleteOrganization(idpOrgId);
  await forget(needs, organizationId, idpOrgId);
  return organizationId;
}

/** Also finds what an interrupted approval has left there. */
async function idAtProvider(needs: Needs, account: AuthOrganization): Promise<string | undefined> {
  const applicant = applicantOf(account);
  if (account.idpOrgId || !applicant) return account.idpOrgId ?? undefined;
  return (await findOrphan(needs, account.name, applicant))?.idpOrgId;
}

const forget = (needs: Needs, organizationId: Id, idpOrgId: string | undefined) =>
  needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    if (idpOrgId) await noteRemoval(tx, idpOrgId);
    const workspaces = await tx.workspace.findMany({ where: { organizationId }, select: { id: true } });
    // People may have been recorded in the core service before the organization, so no constraint deletes them.
    await tx.user.deleteMany({ where: { organizationId } });
    await tx.organization.delete({ where: { id: organizationId } });
    await tx.authOrganization.deleteMany({ where: { id: organizationId } });
    await endBusiness(needs, tx, { organizationId, workspaceIds: workspaces.map((workspace) => workspace.id) });
    await auditChange(needs, tx, {
      organizationId,
      action: 'organization.deleted',
      target: { kind: 'organization', id: organizationId },
    });
  });
