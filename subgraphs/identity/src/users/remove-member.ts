import type { AuthUser } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import { noteRemoval } from '../at-provider/removals.ts';
import type { Context } from '../context.ts';
import type { RemoveMemberInput } from '../generated/graphql.ts';
import { endAtProvider, endSessionsOf } from '../sessions/end-sessions.ts';
import { notifyOfAdministrator } from '../staff-notifications/notify-staff.ts';
import { assertDispensable, lockMember } from './lock-member.ts';
import { assertPlatformOwned } from '../platform/platform-ranks.ts';

type Needs = AuditNeeds &
  Pick<Context, 'permissions' | 'db' | 'clock' | 'jobs' | 'log' | 'tokens' | 'identityProvider'>;

/**
 * Deletes a member: first it blocks their login, then it deletes them at the identity provider, then here; in any other
 * order a half-deleted person could log in. People of another organization only leave.
 */
export async function removeMember(needs: Needs, { userId, ...input }: RemoveMemberInput): Promise<string> {
  const permit = await permitInOrganization(needs, input.organizationId, 'org:users:remove');
  const { organizationId } = permit;

  const { account, ended, roleId } = await needs.db.$transaction(async (tx) => {
    const member = await lockMember(needs, tx, permit, userId);
    await assertDispensable(tx, member);
    const account = await tx.authUser.findUnique({ where: { id: userId, orgId: organizationId } });
    const { roleId } = member;
    if (!account) return { account, ended: [], roleId };
    await assertPlatformOwned(tx, { userId });
    const ended = await endSessionsOf(needs, tx, userId, { reason: 'account_removed' }); // which locks the account
    await lockOut(tx, userId);
    return { account, ended, roleId };
  });
  await endAtProvider(needs, ended);
  if (account) await needs.identityProvider.deleteUser(account.idpUserId);

  await needs.db.$transaction(async (tx) => {
    await notifyOfAdministrator(needs, tx, { userId, organizationId, roles: [roleId], what: 'was removed' });
    await (account ? forget(tx, account) : dismiss(tx, organizationId, userId));
    await auditChange(needs, tx, {
      organizationId,
      action: 'user.removed',
      target: { kind: 'user', id: userId },
    });
  });
  return userId;
}

/**
 * People who have not arrived stay invited or pending, or else enabling them after an interrupted removal would activate
 * them; their link is void, and another invitation replaces it.
 */
async function lockOut(tx: IdentityTransaction, userId: Id) {
  await tx.authUser.updateMany({ where: { id: userId, accountState: 'active' }, data: { accountState: 'disabled' } });
  await tx.magicLink.deleteMany({ where: { userId } });
}

/** Memberships, sessions and links are deleted with them. */
async function forget(tx: IdentityTransaction, { id, idpUserId }: AuthUser) {
  await noteRemoval(tx, idpUserId);
  await tx.user.deleteMany({ where: { id } });
  await tx.authUser.deleteMany({ where: { id } });
}

async function dismiss(tx: IdentityTransaction, organizationId: Id, userId: Id) {
  await tx.workspaceMember.deleteMany({ where: { userId, workspace: { organizationId } } });
  await tx.teamMember.deleteMany({ where: { userId, team: { organizationId } } });
  await tx.organizationMember.deleteMany({ where: { organizationId, userId } });
}
