import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Viewer } from '@foyer/shared/auth/viewer';
import type { Id } from '@foyer/shared/ids';

import { seededRoles } from '../permissions/catalog.ts';
import { roleAboveOwn } from '../permissions/refusals.ts';
import { lastPlatformOwner } from './refusals.ts';

/**
 * Asserts that a person does not rank above the viewer on the platform, whatever both are in the organization.
 *
 * @throws {Refusal} `ROLE_ABOVE_OWN`
 */
export async function assertNotAboveOnPlatform(
  tx: Pick<IdentityTransaction, 'platformMember'>,
  ownId: Id,
  userId: Id,
): Promise<void> {
  const found = await tx.platformMember.findMany({ where: { userId: { in: [ownId, userId] } } });
  const rankOf = (id: Id) => rank(found.find((member) => member.userId === id)?.roleId);
  if (rankOf(userId) > rankOf(ownId)) throw roleAboveOwn();
}

/**
 * Asserts that nobody of an organization ranks above the viewer on the platform, so that they may lock them all out.
 *
 * @throws {Refusal} `ROLE_ABOVE_OWN`
 */
export async function assertNobodyAboveOnPlatform(
  tx: Pick<IdentityTransaction, 'platformMember'>,
  viewer: Viewer | null,
  organizationId: Id,
): Promise<void> {
  if (viewer?.kind !== 'staff') return; // the service has checked its caller
  const own = await tx.platformMember.findFirst({ where: { userId: viewer.userId } });
  const theirs = await tx.platformMember.findMany({ where: { user: { organizationId } } });
  if (theirs.some(({ roleId }) => rank(roleId) > rank(own?.roleId))) throw roleAboveOwn();
}

const rank = (roleId = '') => seededRoles.get(roleId)?.rank ?? 0;

/**
 * Asserts that the platform keeps an owner who may log in when a person, or a whole organization, leaves. Locks the
 * owners until the end of the transaction, so that one of the last two stays, wherever they are.
 *
 * @throws {Refusal} `LAST_PLATFORM_OWNER`
 */
export async function assertPlatformOwned(
  tx: Pick<IdentityTransaction, '$queryRaw' | '$executeRaw'>,
  leaving: { userId: Id } | { organizationId: Id },
): Promise<void> {
  await tx.$executeRaw`
    SELECT 1 FROM tenancy.platform_members WHERE role_id = 'PLATFORM_OWNER' ORDER BY user_id FOR UPDATE`;
  const owners = await tx.$queryRaw<{ userId: Id; organizationId: Id; able: boolean }[]>`
    SELECT p.user_id AS "userId", a.org_id AS "organizationId",
           a.account_state = 'active' AND o.status = 'active' AS "able"
    FROM tenancy.platform_members p
    JOIN auth.users a ON a.id = p.user_id
    JOIN auth.organizations o ON o.id = a.org_id
    WHERE p.role_id = 'PLATFORM_OWNER'`;
  const leaves = (owner: { userId: Id; organizationId: Id }) =>
    'userId' in leaving ? owner.userId === leaving.userId : owner.organizationId === leaving.organizationId;
  if (owners.some(leaves) && !owners.some((owner) => owner.able && !leaves(owner))) throw lastPlatformOwner();
}
