import type { IdentityTransaction } from '@foyer/prisma/identity';
import { permitInOrganization } from '@foyer/shared/permissions';
import type { Viewer } from '@foyer/shared/viewer';

import type { AuditNeeds } from '../audit/audit-change.ts';
import type { Context } from '../context.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { seededRoles, type Scope } from '../permissions/catalog.ts';
import { assertNotAbove, customRoleGrant, requireRoleGrant } from '../permissions/role-grant.ts';
import { roleNotFound, systemRole, tooManyPermissions } from './refusals.ts';
import type { Role } from './role.ts';

export type RoleNeeds = AuditNeeds & Pick<Context, 'permissions' | 'db'>;

const PERMISSIONS_LIMIT = 200;

/** Every change of the roles of an organization: for who manages them, one at a time. */
export async function changeRoles<Changed>(
  needs: RoleNeeds,
  organizationId: string,
  make: (tx: IdentityTransaction, organizationId: string) => Promise<Changed>,
): Promise<Changed> {
  const grant = await permitInOrganization(needs, organizationId, 'org:roles:manage');
  return needs.db.$transaction(async (tx) => {
    await lockOrganization(tx, grant.organizationId);
    return make(tx, grant.organizationId);
  });
}

/** @throws {Refusal} `ROLE_NOT_FOUND`, `SYSTEM_ROLE` */
export async function findCustomRole(tx: IdentityTransaction, organizationId: string, id: string): Promise<Role> {
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

/** Nobody makes a role of the organization that grants more than their own. */
export async function assertMayMake(
  tx: IdentityTransaction,
  viewer: Viewer | null,
  { organizationId, scope, permissions }: { organizationId: string; scope: Scope; permissions: readonly string[] },
): Promise<void> {
  if (viewer?.kind !== 'staff' || scope !== 'organization') return;
  const own = await requireRoleGrant(tx, { organizationId, scope: 'organization' }, viewer.role);
  assertNotAbove(own, customRoleGrant('', scope, permissions));
}
