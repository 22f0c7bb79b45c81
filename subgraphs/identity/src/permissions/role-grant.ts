import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import { permissionsOf, seededRoles, type Scope } from './catalog.ts';
import { roleAboveOwn, unknownRole } from './refusals.ts';

/** A role with its rank, for comparisons. */
export interface RoleGrant {
  id: string;
  rank: number;
  permissions: ReadonlySet<string>;
  /** Passes every workspace permission in its organization. */
  workspaceBypass: boolean;
}

interface Where {
  organizationId: Id;
  scope: Exclude<Scope, 'platform'>;
}

/**
 * Finds a role that people of the organization can have in this scope: a seeded one, or one of the organization's own.
 */
export async function findRoleGrant(
  tx: Pick<IdentityTransaction, 'role'>,
  { organizationId, scope }: Where,
  roleId: string,
): Promise<RoleGrant | null> {
  const seeded = seededRoles.get(roleId);
  if (seeded?.scope === scope) return seeded;
  const custom = await tx.role.findFirst({
    where: { id: roleId, scope, organizationId, isSystem: false },
    include: { permissions: true },
  });
  return (
    custom &&
    customRoleGrant(
      roleId,
      scope,
      custom.permissions.map(({ permission }) => permission),
    )
  );
}

/** @throws {Refusal} `UNKNOWN_ROLE` */
export async function requireRoleGrant(
  tx: Pick<IdentityTransaction, 'role'>,
  where: Where,
  roleId: string,
): Promise<RoleGrant> {
  const role = await findRoleGrant(tx, where, roleId);
  if (!role) throw unknownRole(roleId);
  return role;
}

/**
 * A custom role has the rank of the highest seeded role whose permissions it includes, but never of those that pass
 * everything.
 */
export function customRoleGrant(id: string, scope: Scope, permissions: readonly string[]): RoleGrant {
  const known = permissionsOf(scope);
  const granted = new Set(permissions.filter((permission) => known.has(permission)));
  const held = [...seededRoles.values()].filter(
    (seeded) => seeded.scope === scope && !seeded.workspaceBypass && seeded.permissions.isSubsetOf(granted),
  );
  return { id, rank: Math.max(0, ...held.map(({ rank }) => rank)), permissions: granted, workspaceBypass: false };
}

/**
 * Asserts that a role is not above the viewer's own, neither by rank nor by what it grants. Roles that pass everything
 * in their organization are above each of its custom roles.
 *
 * @throws {Refusal} `ROLE_ABOVE_OWN`
 */
export function assertNotAbove(own: RoleGrant, role: RoleGrant): void {
  if (role.rank > own.rank) throw roleAboveOwn();
  if (!own.workspaceBypass && !role.permissions.isSubsetOf(own.permissions)) throw roleAboveOwn();
}

/**
 * The same for the roles of a workspace, by the permissions that the viewer has there.
 *
 * @throws {Refusal} `ROLE_ABOVE_OWN`
 */
export function assertWithin(own: ReadonlySet<string>, role: RoleGrant): void {
  if (!role.permissions.isSubsetOf(own)) throw roleAboveOwn();
}
