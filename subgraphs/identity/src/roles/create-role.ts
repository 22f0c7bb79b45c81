import { randomUUID } from 'node:crypto';

import { auditChange } from '../audit/audit-change.ts';
import type { CreateRoleInput } from '../generated/graphql.ts';
import { readDescription, readName } from '../name.ts';
import { assertMayMake, changeRoles, readPermissions, type RoleNeeds } from './change-role.ts';
import { customScope, roleNameTaken } from './refusals.ts';
import { isSeededName, type Role } from './role.ts';

const scopes = { ORGANIZATION: 'organization', WORKSPACE: 'workspace' } as const;

/** Creates a custom role. */
export function createRole(needs: RoleNeeds, input: CreateRoleInput): Promise<Role> {
  return changeRoles(needs, input.organizationId, async (tx, organizationId) => {
    if (input.scope === 'PLATFORM') throw customScope();
    const scope = scopes[input.scope];
    const permissions = readPermissions(input.permissions);
    await assertMayMake(tx, needs.viewer, { organizationId, scope, permissions });

    const facts = { id: randomUUID(), organizationId, scope, name: readName(input.name) };
    if (isSeededName(facts.name)) throw roleNameTaken();
    const [made] = await tx.role.createManyAndReturn({
      data: { ...facts, description: readDescription(input.description ?? '') },
      skipDuplicates: true,
    });
    if (!made) throw roleNameTaken();
    const granted = await tx.rolePermission.createManyAndReturn({
      data: permissions.map((permission) => ({ roleId: made.id, permission })),
    });
    await auditChange(needs, tx, {
      organizationId,
      action: 'role.created',
      target: { kind: 'role', id: made.id },
      details: { name: made.name, scope, permissions },
    });
    return { ...made, permissions: granted };
  });
}
