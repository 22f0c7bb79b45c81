import type { OrganizationMember } from '@foyer/prisma/client';
import type { IdentityTransaction } from '@foyer/prisma/identity';
import { isUuid, type Id } from '@foyer/shared/ids';
import type { OrganizationPermit } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { findHoldings } from '../permissions/assert-may-grant.ts';
import { assertNotAbove, findRoleGrant } from '../permissions/role-grant.ts';
import { roleAboveOwn } from '../permissions/refusals.ts';
import { assertNotAboveOnPlatform } from '../platform/platform-ranks.ts';
import { memberNotFound } from '../tenancy/refusals.ts';
import { assertSuccession } from './succession.ts';

/**
 * Locks the organization, and finds a member whom the viewer may change.
 *
 * @throws {Refusal} `USER_NOT_FOUND`, `ROLE_ABOVE_OWN` for a member above the viewer
 */
export async function lockMember(
  { viewer }: Pick<Context, 'viewer'>,
  tx: IdentityTransaction,
  { organizationId }: OrganizationPermit,
  userId: Id,
): Promise<OrganizationMember> {
  await lockOrganization(tx, organizationId);
  const scope = { organizationId, scope: 'organization' } as const;
  const member = isUuid(userId)
    ? await tx.organizationMember.findUnique({ where: { organizationId_userId: { organizationId, userId } } })
    : null;
  if (!member) throw memberNotFound();
  if (viewer?.kind !== 'staff') return member; // the service has checked its caller

  const { organizationRole: own } = await findHoldings(tx, organizationId, viewer.userId);
  if (!own) throw roleAboveOwn(); // removed since the token was issued
  const theirs = await findRoleGrant(tx, scope, member.roleId); // a deleted role is above nobody's
  if (userId === viewer.userId) return member;
  if (theirs) assertNotAbove(own, theirs);
  await assertNotAboveOnPlatform(tx, viewer.userId, userId);
  return member;
}

/**
 * Asserts that the organization can do without a member.
 *
 * @throws {Refusal} `LAST_OWNER`, `LAST_ADMINISTRATOR`, `LAST_PLATFORM_OWNER`
 */
export async function assertDispensable(
  tx: IdentityTransaction,
  { organizationId, userId, roleId }: OrganizationMember,
): Promise<void> {
  const others = await tx.organizationMember.findMany({
    where: { organizationId, userId: { not: userId }, roleId: { in: ['ORG_OWNER', 'ORG_ADMIN'] } },
  });
  const ids = others.map((other) => other.userId);
  const locked = await tx.authUser.findMany({ where: { id: { in: ids }, accountState: { not: 'active' } } });
  const absent = new Set(locked.map(({ id }) => id));
  const count = (role: string) => others.filter((other) => other.roleId === role && !absent.has(other.userId)).length;
  assertSuccession(roleId, { owners: count('ORG_OWNER'), administrators: count('ORG_ADMIN') });
}
