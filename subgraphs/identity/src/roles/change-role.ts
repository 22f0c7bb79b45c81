import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { GivenId, Id } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';
import type { Viewer } from '@foyer/shared/auth/viewer';

import type { AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { assertMayGrant, findHoldings, type Granted } from '../permissions/assert-may-grant.ts';
import { seededRoles, type Scope } from '../permissions/catalog.ts';
import { assertNotAbove, customRoleGrant } from '../permissions/role-grant.ts';
import { roleAboveOwn } from '../permissions/refusals.ts';
import { roleNotFound, systemRole, tooManyPermissions } from './refusals.ts';
import { permissionsIn, type Role } from './role.ts';

export type RoleNeeds = AuditNeeds & Pick<Context, 'permissions' | 'db'>;

const PERMISSIONS_LIMIT = 200;

/** Runs a change of an organization's roles: requires the permission to manage them, one change at a time. */
export async function changeRoles<Changed>(
  needs: RoleNeeds,
  given: GivenId,
  make: (tx: IdentityTransaction, organizationId: Id) => Promise<Changed>,
): Promise<Changed> {
  const permit = await permitInOrganization(needs, given, 'org:roles:manage');
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, permit.organizationId);
    return make(tx, permit.organizationId);
  });
}

/** @throws {Refusal} `ROLE_NOT_FOUND`, `SYSTEM_ROLE` */
export async function findCustomRole(tx: IdentityTransaction, organizationId: Id, id: Id): Promise<Role> {
  if (seededRoles.has(id)) throw systemRole();
  const role = await tx.role.findFirst({ where: { id, organizationId }, include: { permissions: true } });
  if (!role) throw roleNotFound();
  return role;
}

/** The permissions of a role, without duplicates. */
export function readPermissions(permissions: readonly string[]): string[] {
  const wanted = [...new Set(permissions)].toSorted();
  if (wanted.length > PERMISSIONS_LIMIT || wanted.some(({ length }) => length < 1 || length > 200))
    throw tooManyPermissions();
  return wanted;
}

interface Made {
  organizationId: Id;
  /** Undefined for a new role. */
  id?: string;
  scope: Scope;
  permissions: readonly string[];
}

/**
 * Asserts that the viewer may give a role these permissions: in a role of the organization, only what they hold; in a
 * role of workspaces, only what they hold wherever somebody has it. A role that nobody has grants nothing yet: that is
 * checked when it is assigned.
 *
 * @throws {Refusal} `ROLE_ABOVE_OWN`
 */
export async function assertMayMake(tx: IdentityTransaction, viewer: Viewer | null, made: Made): Promise<void> {
  const { organizationId, id, scope } = made;
  const role = customRoleGrant(id ?? '', scope, made.permissions);
  const granted: Granted[] =
    scope === 'organization'
      ? [{ organizationRole: role }]
      : [...(await findPlaces(tx, id))].map((workspaceId) => ({ workspaceId, permissions: role.permissions }));
  await assertMayGrant(tx, viewer, organizationId, granted);
}

/** The workspaces where a person or a team has a role. */
async function findPlaces(tx: IdentityTransaction, role?: string): Promise<Set<Id>> {
  if (!role) return new Set();
  const direct = await tx.workspaceMember.findMany({ where: { role }, distinct: ['workspaceId'] });
  const teams = await tx.teamWorkspaceRole.findMany({ where: { roleId: role }, distinct: ['workspaceId'] });
  return new Set([...direct, ...teams].map(({ workspaceId }) => workspaceId));
}

/**
 * Asserts that the viewer removes from a role of the organization only what they could have given it. Roles that pass
 * everything in their organization may.
 *
 * @throws {Refusal} `ROLE_ABOVE_OWN`
 */
export async function assertMayTake(tx: IdentityTransaction, viewer: Viewer | null, role: Role): Promise<void> {
  const { id, organizationId, scope } = role;
  if (viewer?.kind !== 'staff' || scope !== 'organization' || !organizationId) return;
  const own = (await findHoldings(tx, organizationId, viewer.userId)).organizationRole;
  if (!own) throw roleAboveOwn();
  assertNotAbove(own, customRoleGrant(id, scope, permissionsIn(role)));
}
