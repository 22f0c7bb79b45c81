import type { IdentityTransaction } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import { auditChange } from '../audit/audit-change.ts';
import type { DeleteRoleInput } from '../generated/graphql.ts';
import { assertMayTake, changeRoles, findCustomRole, type RoleNeeds } from './change-role.ts';
import { roleInUse } from './refusals.ts';

/** Deletes a custom role and its assignments to teams; refused while a person has it. */
export function deleteRole(needs: RoleNeeds, { roleId, ...input }: DeleteRoleInput): Promise<string> {
  return changeRoles(needs, input.organizationId, async (tx, organizationId) => {
    const role = await findCustomRole(tx, organizationId, roleId);
    const { id } = role;
    await assertMayTake(tx, needs.viewer, role);
    await assertUnused(tx, organizationId, id);
    const teams = await tx.teamWorkspaceRole.deleteMany({ where: { roleId: id } });
    await tx.role.delete({ where: { id } });
    await auditChange(needs, tx, {
      organizationId,
      action: 'role.deleted',
      target: { kind: 'role', id },
      details: { name: role.name, teamGrants: teams.count },
    });
    return id;
  });
}

async function assertUnused(tx: IdentityTransaction, organizationId: Id, role: string) {
  const holders =
    (await tx.organizationMember.count({ where: { organizationId, roleId: role } })) +
    (await tx.workspaceMember.count({ where: { role, workspace: { organizationId } } }));
  if (holders > 0) throw roleInUse(holders);
}
