import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';
import { forbidden, type Viewer } from '@foyer/shared/auth/viewer';

import { nothing } from './catalog.ts';
import { findRoleGrant, type RoleGrant } from './role-grant.ts';
import { roleAboveOwn } from './refusals.ts';
import { rightsByWorkspace } from './workspace-rights.ts';

/** What somebody would hold after a change: a role in the organization, or permissions in one of its workspaces. */
export type Granted = { organizationRole: RoleGrant } | { workspaceId: Id; permissions: ReadonlySet<string> };

/** What somebody holds in one organization and in its workspaces. */
export interface Holdings {
  /** Null for somebody who is not a member. */
  organizationRole: RoleGrant | null;
  /** By workspace id. */
  workspaces: ReadonlyMap<Id, ReadonlySet<string>>;
}

/**
 * Asserts that the viewer grants nothing that they do not hold themselves, in any scope. Every mutation that changes
 * what somebody may do calls it after `lockOrganization`: what the viewer holds is read from the records, not from
 * their token, and nobody changes it until the end of the transaction.
 *
 * The one exception is an ORG_ADMIN who names the first ORG_OWNER: otherwise nobody could ever become one.
 *
 * @throws {Refusal} `ROLE_ABOVE_OWN`
 */
export async function assertMayGrant(
  tx: IdentityTransaction,
  viewer: Viewer | null,
  organizationId: Id,
  granted: readonly Granted[],
): Promise<void> {
  if (viewer?.kind === 'service') return; // the service has checked its caller
  if (viewer?.kind !== 'staff') throw forbidden();
  if (granted.length === 0) return;
  const own = await findHoldings(tx, organizationId, viewer.userId);
  const beyond = granted.filter((each) => !isHeld(own, each));
  if (beyond.length === 0) return;
  if (!(beyond.every(isOwnership) && own.organizationRole?.id === 'ORG_ADMIN' && (await isUnowned(tx, organizationId))))
    throw roleAboveOwn();
}

/** Reads what a person holds from the records, within the transaction. */
export async function findHoldings(tx: IdentityTransaction, organizationId: Id, userId: Id): Promise<Holdings> {
  const member = await tx.organizationMember.findUnique({
    where: { organizationId_userId: { organizationId, userId } },
  });
  const rights = await rightsByWorkspace(tx, userId, { organizationId });
  return {
    organizationRole: member && (await findRoleGrant(tx, { organizationId, scope: 'organization' }, member.roleId)),
    workspaces: new Map(rights.map(({ id, permissions }) => [id, permissions])),
  };
}

/** Only a role that passes every workspace permission includes another such role. */
function isHeld({ organizationRole: own, workspaces }: Holdings, granted: Granted): boolean {
  if ('workspaceId' in granted) return granted.permissions.isSubsetOf(workspaces.get(granted.workspaceId) ?? nothing);
  const { rank, permissions, workspaceBypass } = granted.organizationRole;
  return (
    own !== null &&
    rank <= own.rank &&
    permissions.isSubsetOf(own.permissions) &&
    (own.workspaceBypass || !workspaceBypass)
  );
}

const isOwnership = (granted: Granted) => 'organizationRole' in granted && granted.organizationRole.id === 'ORG_OWNER';

const isUnowned = async (tx: IdentityTransaction, organizationId: Id) =>
  (await tx.organizationMember.count({ where: { organizationId, roleId: 'ORG_OWNER' } })) === 0;
