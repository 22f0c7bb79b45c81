import { Prisma } from '@foyer/prisma/client';
import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

import { byWorkspace, selectWorkspaceRoles, type WorkspaceRole, type WorkspaceRoles } from '../workspace-roles.ts';
import { grantsOf, nothing, permissionsOf, seededRoles } from './catalog.ts';

/** What one person may do in one workspace, from live records. */
export interface Rights {
  id: Id;
  name: string;
  organizationId: Id;
  /** The person's highest role there; null for none. */
  role: string | null;
  permissions: ReadonlySet<string>;
}

type Where = { workspaceId: Id } | { organizationId: Id };

/** Reads a person's rights in one workspace or in all of an organization, in one round trip. */
export async function rightsByWorkspace(
  db: Pick<IdentityDatabase, '$queryRaw'>,
  userId: Id,
  where: Where,
): Promise<Rights[]> {
  const which =
    'workspaceId' in where
      ? Prisma.sql`w.id = ${where.workspaceId}::uuid`
      : Prisma.sql`w.organization_id = ${where.organizationId}::uuid`;
  const found = await db.$queryRaw<WorkspaceRole[]>(selectWorkspaceRoles(Prisma.sql`${userId}::uuid`, which));
  return byWorkspace(found).map(judgeWorkspace);
}

/**
 * Resolves a person's rights in a workspace (spec 1, "How a permission check is resolved"): the organization's owner
 * and administrator, by the literal role, pass everything; for everybody else it is the union of direct and team roles.
 */
export function judgeWorkspace({
  id,
  name,
  organizationId,
  organizationRole,
  roles,
  customPermissions,
}: WorkspaceRoles): Rights {
  const bypass = seededRoles.get(organizationRole ?? '')?.workspaceBypass ?? false;
  const ranked = roles.toSorted((one, other) => rank(other) - rank(one) || one.localeCompare(other));
  const known = permissionsOf('workspace');
  const permissions = bypass
    ? known
    : roles
        .reduce((union, role) => union.union(grantsOf(role, 'workspace')), nothing)
        .union(new Set(customPermissions.filter((permission) => known.has(permission))));
  return { id, name, organizationId, role: bypass ? 'WORKSPACE_ADMIN' : (ranked[0] ?? null), permissions };
}

const rank = (roleId: string) => seededRoles.get(roleId)?.rank ?? 0;
