import type { AccountState, AuthUser } from '@foyer/prisma/client';
import type { IdentityDatabase, IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import { audit } from '../audit/write-audit.ts';
import { organizationNotReady, stillInvited, stillPending } from '../tenancy/refusals.ts';
import { notPlatformOwner } from './refusals.ts';
import { findNamedUser, type NamedUser } from '../tenancy/named-user.ts';
import { assertPlatformOwned } from './platform-ranks.ts';

const OWNER = 'PLATFORM_OWNER';

interface Needs {
  db: IdentityDatabase;
}

interface OwnerParams extends NamedUser {
  /** The operator, for the audit log. */
  actor: string;
}

/** An owner of the platform. */
export interface PlatformOwner {
  userId: Id;
  username: string;
  email: string;
  accountState: AccountState;
  companyCode: string;
}

/** A change of the platform's owners. */
export interface OwnerChange extends PlatformOwner {
  /** False when nothing had to change. */
  changed: boolean;
}

/** Lists the owners of the platform, also those who may not log in. */
export async function listPlatformOwners({ db }: Needs): Promise<PlatformOwner[]> {
  const owners = await db.platformMember.findMany({ where: { roleId: OWNER }, orderBy: { createdAt: 'asc' } });
  const users = await db.authUser.findMany({
    where: { id: { in: owners.map(({ userId }) => userId) } },
    include: { org: true },
  });
  const userOf = new Map(users.map((user) => [user.id, user]));
  return owners.flatMap(({ userId }) => userOf.get(userId) ?? []).map(asOwner);
}

/**
 * Makes a person an owner of the platform, whatever their role there, and enables a disabled account: an owner who may
 * not log in could recover nothing.
 *
 * @throws {Refusal} `USER_NOT_FOUND`, `NAME_AMBIGUOUS`, `ACCOUNT_INVITED`, `ACCOUNT_PENDING`, `ORGANIZATION_NOT_READY`
 */
export async function addPlatformOwner({ db }: Needs, { actor, ...named }: OwnerParams): Promise<OwnerChange> {
  return db.$transaction(async (tx) => {
    const user = await findNamedUser(tx, named);
    assertMayLogIn(user);
    const before = await tx.platformMember.findUnique({ where: { userId: user.id } });
    const enabled = user.accountState === 'disabled';
    if (before?.roleId === OWNER && !enabled) return { ...asOwner(user), changed: false };

    if (enabled) await tx.authUser.update({ where: { id: user.id }, data: { accountState: 'active' } });
    const role = { roleId: OWNER };
    await tx.platformMember.upsert({ where: { userId: user.id }, create: { userId: user.id, ...role }, update: role });
    await note(tx, user, actor, {
      action: 'platform-owner.added',
      details: { ...(before && { from: before.roleId }), enabled },
    });
    return { ...asOwner(user), accountState: 'active', changed: true };
  });
}

/**
 * Removes an owner of the platform, who keeps their role in their organization.
 *
 * @throws {Refusal} `USER_NOT_FOUND`, `NAME_AMBIGUOUS`, `PLATFORM_OWNER_NOT_FOUND`; `LAST_PLATFORM_OWNER` when no
 *   other owner may log in: name another one first
 */
export async function removePlatformOwner({ db }: Needs, { actor, ...named }: OwnerParams): Promise<OwnerChange> {
  return db.$transaction(async (tx) => {
    const user = await findNamedUser(tx, named);
    // Locks the owners: of two simultaneous removals the second is checked after the first has committed.
    await assertPlatformOwned(tx, { userId: user.id });
    const { count } = await tx.platformMember.deleteMany({ where: { userId: user.id, roleId: OWNER } });
    if (count === 0) throw notPlatformOwner();
    await note(tx, user, actor, { action: 'platform-owner.removed' });
    return { ...asOwner(user), changed: true };
  });
}

type Named = Awaited<ReturnType<typeof findNamedUser>>;

function assertMayLogIn({ accountState, org }: Named): void {
  if (accountState === 'invited') throw stillInvited();
  if (accountState === 'pending') throw stillPending();
  if (org.status !== 'active') throw organizationNotReady();
}

const note = (
  tx: IdentityTransaction,
  { id, orgId: organizationId }: AuthUser,
  userId: string,
  fact: Pick<Parameters<typeof audit>[1], 'action' | 'details'>,
): Promise<void> => audit(tx, { organizationId, userId, target: { kind: 'user', id }, ...fact });

const asOwner = ({ id: userId, username, email, accountState, org }: Named): PlatformOwner => ({
  userId,
  username,
  email,
  accountState,
  companyCode: org.companyCode,
});
