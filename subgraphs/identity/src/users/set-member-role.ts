import { permitInOrganization } from '@foyer/shared/auth/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { SetMemberRoleInput } from '../generated/graphql.ts';
import { assertMayGrant } from '../permissions/assert-may-grant.ts';
import { requireRoleGrant } from '../permissions/role-grant.ts';
import { blockUser } from '../sessions/end-sessions.ts';
import { notifyOfAdministrator } from '../staff-notifications/notify-staff.ts';
import { assertDispensable, lockMember } from './lock-member.ts';
import type { Member } from './member.ts';
import { ownRole } from './refusals.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db' | 'clock' | 'jobs' | 'tokens'>;

/** Gives a member another role and invalidates their access tokens, so that it takes effect at once. */
export async function setMemberRole(needs: Needs, { userId, role, ...input }: SetMemberRoleInput): Promise<Member> {
  const permit = await permitInOrganization(needs, input.organizationId, 'org:users:manage');
  if (needs.viewer?.kind === 'staff' && needs.viewer.userId === userId) throw ownRole();

  return needs.db.$transaction(async (tx) => {
    const member = await lockMember(needs, tx, permit, userId);
    const { organizationId, roleId: before } = member;
    const organizationRole = await requireRoleGrant(tx, { organizationId, scope: 'organization' }, role);
    await assertMayGrant(tx, needs.viewer, organizationId, [{ organizationRole }]);
    if (before === role) return member;
    await assertDispensable(tx, member);

    await blockUser(needs, tx, userId);
    await auditChange(needs, tx, {
      organizationId,
      action: 'user.role-changed',
      target: { kind: 'user', id: userId },
      details: { from: before, to: role },
    });
    const what = `was ${before} and is ${role} now`;
    await notifyOfAdministrator(needs, tx, { userId, organizationId, roles: [before, role], what });
    return tx.organizationMember.update({
      where: { organizationId_userId: { organizationId, userId } },
      data: { role, roleId: role },
    });
  });
}
