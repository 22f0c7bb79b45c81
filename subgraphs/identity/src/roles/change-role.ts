import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { GivenId, Id } from '@foyer/shared/ids';
import { permitInOrganization } from '@foyer/shared/auth/permissions';
import type { Viewer } from '@foyer/shared/auth/viewer';

import type { AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { lockOrganization } from '../tenancy/lock-organization.ts';
import { assertMayGrant, findHoldings, type Granted } from '../permissions/assert-may-grant.ts';
import { seededRoles, type Scope } from '../permissions/catalog.ts';
import { assertNotAbove, customRoleGrant, roleAboveOwn } from '../permissions/role-grant.ts';
import { roleNotFound, systemRole, tooManyPermissions } from './refusals.ts';
import { permissionsIn, type Role } from './role.ts';

export type RoleNeeds = AuditNeeds & Pick<Context, 'permissions' | 'db'>;

const PERMISSIONS_LIMIT = 200;

/** Every change of the roles of an organization: for who manages them, one at a time. */
export async function changeRoles<Changed>(
  needs: RoleNeeds,
  given: GivenId,
  make: (tx: IdentityTransaction, organizationId: Id) => Promise<Changed>,
): Promise<Changed> {
  const grant = await permitInOrganization(needs, given, 'org:roles:manage');
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, grant.organizationId);
    return make(tx, grant.organizationId);
  });
}

/** @throws {Refusal} `ROLE_NOT_FOUND`, `SYSTEM_ROLE` */
export async function findCustomRole(tx: IdentityTransaction, organizationId: Id, id: Id): Promise<Role> {
  if (seededRoles.has(id)) throw systemRole();
  const role = await tx.role.findFirst({ where: { id, organizationId }, include: { permissions: true } });
  if (!role) throw roleNotFound();
  return role;
}

/** What a role is to grant: each string once. */
export function readPermissions(permissions: readonly string[]): string[] {
  const wanted = [...new Set(permissions)].toSorted();
  if (wanted.length > PERMISSIONS_LIMIT || wanted.some(({ length }) => length < 1 || length > 200))
    throw tooManyPermissions();
  return wanted;
}

interface Made {
  organizationId: Id;
  /** None of one that is not there yet. */
  id?: string;
  scope: Scope;
  permissions: readonly string[];
}

/**
 * Nobody makes a role of the organization that grants more than they hold; nor a role of workspaces, in any where
 * somebody has it. One that nobody has yet gives nobody anything: who gives it is asked then.
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
 * Nobody takes from a role of the organization what they could not have given it; who passes everything in their
 * organization may.
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
