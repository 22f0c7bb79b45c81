import type { AuthUser, OrganizationMember } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { permitInOrganization } from '@foyer/shared/auth/permissions';
import type { Viewer } from '@foyer/shared/auth/viewer';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { SetMemberStatusInput } from '../generated/graphql.ts';
import { assertMayGrant, findHoldings } from '../permissions/assert-may-grant.ts';
import { endAtProvider, endSessionsOf } from '../sessions/end-sessions.ts';
import { notifyOfAdministrator } from '../staff-notifications/notify-staff.ts';
import { assertDispensable, lockMember } from './lock-member.ts';
import { assertPlatformOwned } from '../platform/platform-ranks.ts';
import type { Member } from './member.ts';
import { ownAccount } from './refusals.ts';
import { memberNotFound, stillInvited, stillPending } from '../tenancy/refusals.ts';

type Needs = AuditNeeds &
  Pick<Context, 'permissions' | 'db' | 'clock' | 'jobs' | 'log' | 'tokens' | 'identityProvider'>;

/** Disables a member, which ends their sessions, or enables them again; the identity provider is not changed. */
export async function setMemberStatus(
  needs: Needs,
  { userId, status, ...input }: SetMemberStatusInput,
): Promise<Member> {
  const permit = await permitInOrganization(needs, input.organizationId, 'org:users:manage');

  const { member, ended } = await needs.db.$transaction(async (tx) => {
    const member = await lockMember(needs, tx, permit, userId);
    const account = await tx.authUser.findUnique({ where: { id: userId, orgId: permit.organizationId } });
    const wanted = status === 'ACTIVE' ? 'active' : 'disabled';
    if (!account) throw memberNotFound();
    assertSwitchable(account);
    if (account.accountState === wanted) return { member, ended: [] };
    if (wanted === 'active') await assertMayEnable(tx, needs.viewer, member);
    else {
      await assertDispensable(tx, member);
      await assertPlatformOwned(tx, { userId });
      if (needs.viewer?.kind === 'staff' && needs.viewer.userId === member.userId) throw ownAccount();
    }
    await tx.authUser.update({ where: { id: userId }, data: { accountState: wanted } });
    await auditChange(needs, tx, {
      organizationId: permit.organizationId,
      action: wanted === 'active' ? 'user.enabled' : 'user.disabled',
      target: { kind: 'user', id: userId },
    });
    const { organizationId, roleId } = member;
    const what = wanted === 'active' ? 'was switched on again' : 'was switched off';
    await notifyOfAdministrator(needs, tx, { userId, organizationId, roles: [roleId], what });
    const ended = wanted === 'disabled' ? await endSessionsOf(needs, tx, userId, { reason: 'account_disabled' }) : [];
    return { member, ended };
  });
  await endAtProvider(needs, ended);
  return member;
}

/**
 * An enabled person gets back what they held in the organization, so the viewer must hold it too. What others gave them
 * elsewhere is not checked: only their own organization decides on the account.
 */
async function assertMayEnable(
  tx: IdentityTransaction,
  viewer: Viewer | null,
  { organizationId, userId }: OrganizationMember,
): Promise<void> {
  const { organizationRole, workspaces } = await findHoldings(tx, organizationId, userId);
  const inWorkspaces = [...workspaces].map(([workspaceId, permissions]) => ({ workspaceId, permissions }));
  await assertMayGrant(tx, viewer, organizationId, [
    ...(organizationRole ? [{ organizationRole }] : []),
    ...inWorkspaces,
  ]);
}

/** active ⇄ disabled, and nothing else: invited people become active only by their link. */
function assertSwitchable({ accountState }: AuthUser): void {
  if (accountState === 'invited') throw stillInvited();
  if (accountState === 'pending') throw stillPending();
}
