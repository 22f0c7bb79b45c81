import type { IdentityTransaction } from '@foyer/prisma/identity';
import { permitInOrganization } from '@foyer/shared/permissions';

import { auditChange, type AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import type { SetMemberRoleInput } from '../generated/graphql.ts';
import { assertNotAbove, requireRoleGrant } from '../permissions/role-grant.ts';
import { blockUser } from '../sessions/end-sessions.ts';
import { tellOfAdministrator } from '../staff-notices/tell-staff.ts';
import { assertDispensable, dealWithMember, type Dealing } from './deal-with-member.ts';
import type { Member } from './member.ts';
import { ownRole } from './refusals.ts';

type Needs = AuditNeeds & Pick<Context, 'permissions' | 'db' | 'clock' | 'jobs' | 'tokens'>;

/** Gives a member another role; their access tokens of before count no more, so that they get it at once. */
export async function setMemberRole(needs: Needs, { userId, role, ...input }: SetMemberRoleInput): Promise<Member> {
  const grant = await permitInOrganization(needs, input.organizationId, 'org:users:manage');
  if (needs.viewer?.kind === 'staff' && needs.viewer.userId === userId.toLowerCase()) throw ownRole();

  return needs.db.$transaction(async (tx) => {
    const dealing = await dealWithMember(needs, tx, grant, userId);
    await assertMayGive(tx, dealing, role);
    const { organizationId, roleId: before } = dealing.member;
    if (before === role) return dealing.member;
    await assertDispensable(tx, dealing.member);

    await blockUser(needs, tx, userId);
    await auditChange(needs, tx, {
      organizationId,
      action: 'user.role-changed',
      target: { kind: 'user', id: userId },
      details: { from: before, to: role },
    });
    const what = `was ${before} and is ${role} now`;
    await tellOfAdministrator(needs, tx, { userId, organizationId, roles: [before, role], what });
    return tx.organizationMember.update({
      where: { organizationId_userId: { organizationId, userId } },
      data: { role, roleId: role },
    });
  });
}

/** An administrator may name an owner while there is none: else nobody could ever become one. */
async function assertMayGive(tx: IdentityTransaction, { member: { organizationId }, own }: Dealing, role: string) {
  const wanted = await requireRoleGrant(tx, { organizationId, scope: 'organization' }, role);
  if (!own) return;
  const unowned =
    role === 'ORG_OWNER' &&
    own.id === 'ORG_ADMIN' &&
    (await tx.organizationMember.count({ where: { organizationId, roleId: 'ORG_OWNER' } })) === 0;
  if (!unowned) assertNotAbove(own, wanted);
}
