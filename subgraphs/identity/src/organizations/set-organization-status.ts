import type { IdentityTransaction } from '@foyer/prisma/identity';
import { permitOnPlatform } from '@foyer/shared/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { SetOrganizationStatusInput } from '../generated/graphql.ts';
import { approveSelfSignup } from '../self-signup/approve-self-signup.ts';
import { endAtProvider } from '../sessions/end-sessions.ts';
import { endSessionsOfOrganization } from './end-sessions-of-organization.ts';
import { lockOrganization } from './lock-organization.ts';
import { organizationAsSeen, type SeenOrganization } from './organization.ts';
import { PLATFORM_ORGANIZATION_ID } from './platform-organization.ts';
import { platformOrganizationProtected } from './refusals.ts';

type Needs = AuditNeeds &
  Pick<Context, 'permissions' | 'db' | 'clock' | 'log' | 'tokens' | 'identityProvider'> &
  Parameters<typeof approveSelfSignup>[0];

/** Approval asks the identity provider, which takes its time. */
const TIMEOUT_MS = 60_000;

/** Approves an organization, switches it off, or on again; the sessions of its people end with it. */
export async function setOrganizationStatus(
  needs: Needs,
  { organizationId, status }: SetOrganizationStatusInput,
): Promise<SeenOrganization> {
  await permitOnPlatform(needs, 'org:manage');
  if (organizationId === PLATFORM_ORGANIZATION_ID) throw platformOrganizationProtected();

  const { organization, ended } = await needs.db.$transaction(
    async (tx) => {
      await lockOrganization(tx, organizationId);
      // The core service may know an organization that the auth service has not told us of.
      const before = await tx.authOrganization.findUnique({ where: { id: organizationId } });
      const wanted = status === 'ACTIVE' ? 'active' : 'disabled';
      if (before?.status === 'pending' && wanted === 'active') await approveSelfSignup(needs, tx, organizationId);
      const organization = await record(needs, tx, { organizationId, from: before?.status, to: wanted });
      const ended =
        wanted === 'disabled'
          ? await endSessionsOfOrganization(needs, tx, organizationId, 'organization_disabled')
          : [];
      return { organization, ended };
    },
    { timeout: TIMEOUT_MS },
  );
  await endAtProvider(needs, ended);
  return organizationAsSeen(organization, true);
}

async function record(
  needs: Needs,
  tx: IdentityTransaction,
  { organizationId, from, to }: { organizationId: string; from: string | undefined; to: 'active' | 'disabled' },
) {
  await tx.authOrganization.updateMany({ where: { id: organizationId }, data: { status: to } });
  await auditChange(needs, tx, {
    organizationId,
    action: to === 'active' ? 'organization.activated' : 'organization.disabled',
    target: { kind: 'organization', id: organizationId },
    details: { ...(from && { from }), to },
  });
  return tx.organization.update({ where: { id: organizationId }, data: { status: to } });
}
