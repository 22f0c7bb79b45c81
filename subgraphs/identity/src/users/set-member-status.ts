import type { AuthUser } from '@foyer/prisma/client';
import { permitInOrganization } from '@foyer/shared/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { SetMemberStatusInput } from '../generated/graphql.ts';
import { endAtProvider, endSessionsOf } from '../sessions/end-sessions.ts';
import { tellOfAdministrator } from '../staff-notices/tell-staff.ts';
import { assertDispensable, dealWithMember } from './deal-with-member.ts';
import { assertPlatformOwned } from './platform-ranks.ts';
import type { Member } from './member.ts';
import { memberNotFound, stillInvited, stillPending } from './refusals.ts';

type Needs = AuditNeeds &
  Pick<Context, 'permissions' | 'db' | 'clock' | 'jobs' | 'log' | 'tokens' | 'identityProvider'>;

/** Switches a member off, which ends their sessions, or on again; the identity provider is not told. */
export async function setMemberStatus(
  needs: Needs,
  { userId, status, ...input }: SetMemberStatusInput,
): Promise<Member> {
  const grant = await permitInOrganization(needs, input.organizationId, 'org:users:manage');

  const { member, ended } = await needs.db.$transaction(async (tx) => {
    const { member } = await dealWithMember(needs, tx, grant, userId);
    const account = await tx.authUser.findUnique({ where: { id: userId, orgId: grant.organizationId } });
    const wanted = status === 'ACTIVE' ? 'active' : 'disabled';
    if (!account) throw memberNotFound();
    assertSwitchable(account);
    if (account.accountState === wanted) return { member, ended: [] };
    if (wanted === 'disabled') {
      await assertDispensable(tx, member);
      await assertPlatformOwned(tx, { userId });
    }
    await tx.authUser.update({ where: { id: userId }, data: { accountState: wanted } });
    await auditChange(needs, tx, {
      organizationId: grant.organizationId,
      action: wanted === 'active' ? 'user.enabled' : 'user.disabled',
      target: { kind: 'user', id: userId },
    });
    const { organizationId, roleId } = member;
    const what = wanted === 'active' ? 'was switched on again' : 'was switched off';
    await tellOfAdministrator(needs, tx, { userId, organizationId, roles: [roleId], what });
    const ended = wanted === 'disabled' ? await endSessionsOf(needs, tx, userId, { reason: 'account_disabled' }) : [];
    return { member, ended };
  });
  await endAtProvider(needs, ended);
  return member;
}

/** active ⇄ disabled, and nothing else: who is invited becomes active by the link alone. */
function assertSwitchable({ accountState }: AuthUser): void {
  if (accountState === 'invited') throw stillInvited();
  if (accountState === 'pending') throw stillPending();
}
