import type { IdentityTransaction } from '@foyer/prisma/identity';

import { auditChange } from '../audit/audit-change.ts';
import type { UpdateRoleInput } from '../generated/graphql.ts';
import { changesOf } from '../name.ts';
import {
  assertMayMake,
  assertMayTake,
  changeRoles,
  findCustomRole,
  readPermissions,
  type RoleNeeds,
} from './change-role.ts';
import { roleNameTaken } from './refusals.ts';
import { isSeededName, permissionsIn, type Role } from './role.ts';

/** Changes a custom role, which takes effect within five seconds for everybody who has it. */
export function updateRole(needs: RoleNeeds, input: UpdateRoleInput): Promise<Role> {
  return changeRoles(needs, input.organizationId, async (tx, organizationId) => {
    const before = await findCustomRole(tx, organizationId, input.roleId);
    const { id, scope } = before;
    await assertMayTake(tx, needs.viewer, before);
    const changes = changesOf(input);
    if (changes.name && changes.name !== before.name) await assertNameFree(tx, before, changes.name);
    if (input.permissions) {
      const permissions = readPermissions(input.permissions);
      await assertMayMake(tx, needs.viewer, { organizationId, id, scope, permissions });
      await tx.rolePermission.deleteMany({ where: { roleId: id } });
      await tx.rolePermission.createMany({ data: permissions.map((permission) => ({ roleId: id, permission })) });
    }
    const role = await tx.role.update({ where: { id }, data: changes, include: { permissions: true } });
    await auditChange(needs, tx, {
      organizationId,
      action: 'role.updated',
      target: { kind: 'role', id },
      details: { ...changes, permissions: permissionsIn(role) },
    });
    return role;
  });
}

/** Other changes of this organization's roles wait for this one. */
async function assertNameFree(tx: IdentityTransaction, { id, organizationId, scope }: Role, name: string) {
  if (isSeededName(name)) throw roleNameTaken();
  const others = await tx.role.count({ where: { id: { not: id }, organizationId, scope, name } });
  if (others > 0) throw roleNameTaken();
}
