import { permitOnPlatform } from '@foyer/shared/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { endAtProvider } from '../sessions/end-sessions.ts';
import { endSessionsOfOrganization } from './end-sessions-of-organization.ts';
import { lockOrganization } from './lock-organization.ts';
import { PLATFORM_ORGANIZATION_ID } from './platform-organization.ts';
import { platformOrganizationProtected } from './refusals.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db' | 'clock' | 'log' | 'tokens' | 'identityProvider'>;

const TIMEOUT_MS = 30_000;

/**
 * Deletes an organization with everybody in it. First nobody gets in any more, then the identity provider
 * forgets them, then we do: whoever finds it half done can ask again.
 */
export async function deleteOrganization(needs: Needs, organizationId: string): Promise<string> {
  await permitOnPlatform(needs, 'org:delete');
  if (organizationId === PLATFORM_ORGANIZATION_ID) throw platformOrganizationProtected();

  const { idpOrgId, ended } = await needs.db.$transaction(
    async (tx) => {
      await lockOrganization(tx, organizationId);
      const data = { status: 'disabled' } as const;
      // None when only the core service knows it.
      const [account] = await tx.authOrganization.updateManyAndReturn({ where: { id: organizationId }, data });
      await tx.organization.update({ where: { id: organizationId }, data });
      const ended = await endSessionsOfOrganization(needs, tx, organizationId, 'organization_deleted');
      return { idpOrgId: account?.idpOrgId, ended };
    },
    { timeout: TIMEOUT_MS },
  );
  await endAtProvider(needs, ended);
  if (idpOrgId) await needs.identityProvider.deleteOrganization(idpOrgId);
  await forget(needs, organizationId);
  return organizationId;
}

const forget = (needs: Needs, organizationId: string) =>
  needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, organizationId);
    // The people of the core service may have come before the organization, so no constraint takes them along.
    await tx.user.deleteMany({ where: { organizationId } });
    await tx.organization.delete({ where: { id: organizationId } });
    await tx.authOrganization.deleteMany({ where: { id: organizationId } });
    await auditChange(needs, tx, {
      organizationId,
      action: 'organization.deleted',
      target: { kind: 'organization', id: organizationId },
    });
  });
