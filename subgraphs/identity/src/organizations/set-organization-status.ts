import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';
import { permitOverOrganization } from '@foyer/shared/auth/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { SetOrganizationStatusInput } from '../generated/graphql.ts';
import { approveSelfSignup } from '../self-signup/approve-self-signup.ts';
import { endAtProvider } from '../sessions/end-sessions.ts';
import { assertNobodyAboveOnPlatform, assertPlatformOwned } from '../platform/platform-ranks.ts';
import { endSessionsOfOrganization } from './end-sessions-of-organization.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { organizationAsSeen, type SeenOrganization } from '../tenancy/organization.ts';
import { PLATFORM_ORGANIZATION_ID } from '../tenancy/platform-organization.ts';
import { platformOrganizationProtected } from './refusals.ts';

type Needs = AuditNeeds &
  Pick<Context, 'permissions' | 'db' | 'clock' | 'log' | 'tokens' | 'identityProvider'> &
  Parameters<typeof approveSelfSignup>[0];

/** An organization may have many people with many sessions. */
const TIMEOUT_MS = 30_000;

/** Approves an organization, disables it (which ends the sessions of its people), or enables it again. */
export async function setOrganizationStatus(
  needs: Needs,
  { status, ...input }: SetOrganizationStatusInput,
): Promise<SeenOrganization> {
  const { organizationId } = await permitOverOrganization(needs, input.organizationId, 'org:manage');
  if (organizationId === PLATFORM_ORGANIZATION_ID) throw platformOrganizationProtected();

  if (status === 'ACTIVE')
    return approveSelfSignup(needs, organizationId, async (tx) => {
      await lockOrganization(tx, organizationId);
      return organizationAsSeen(await record(needs, tx, { organizationId, to: 'active' }), true);
    });

  const { organization, ended } = await needs.db.$transaction(
    async (tx) => {
      await lockOrganization(tx, organizationId);
      await assertNobodyAboveOnPlatform(tx, needs.viewer, organizationId);
      await assertPlatformOwned(tx, { organizationId });
      const organization = await record(needs, tx, { organizationId, to: 'disabled' });
      const ended = await endSessionsOfOrganization(needs, tx, organizationId, 'organization_disabled');
      return { organization, ended };
    },
    { timeout: TIMEOUT_MS },
  );
  await endAtProvider(needs, ended);
  return organizationAsSeen(organization, true);
}

/** Declines the application of an organization that has not been approved. */
const declineApplication = (tx: IdentityTransaction, id: Id) =>
  tx.authOrganization.updateMany({ where: { id, applicantState: 'pending' }, data: { applicantState: 'declined' } });

async function record(
  needs: Needs,
  tx: IdentityTransaction,
  { organizationId, to }: { organizationId: Id; to: 'active' | 'disabled' },
) {
  // The core service may know an organization before the auth service does.
  const from = (await tx.authOrganization.findUnique({ where: { id: organizationId } }))?.status;
  await tx.authOrganization.updateMany({ where: { id: organizationId }, data: { status: to } });
  if (to === 'disabled') await declineApplication(tx, organizationId);
  await auditChange(needs, tx, {
    organizationId,
    action: to === 'active' ? 'organization.activated' : 'organization.disabled',
    target: { kind: 'organization', id: organizationId },
    details: { ...(from && { from }), to },
  });
  return tx.organization.update({ where: { id: organizationId }, data: { status: to } });
}
