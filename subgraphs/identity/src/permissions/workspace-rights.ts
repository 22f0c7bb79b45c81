import { Prisma } from '@foyer/prisma/client';
import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';

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

/** A workspace, with all roles that one person has in it. */
export interface WorkspaceRoles {
  id: Id;
  name: string;
  organizationId: Id;
  /** The live role in the workspace's organization. */
  organizationRole: string | null;
  /** Direct, and through teams. */
  roles: string[];
  /** What the custom roles among them grant. */
  customPermissions: string[];
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
  const found = await db.$queryRaw<WorkspaceRoles[]>`
    SELECT w.id, w.name, w.organization_id AS "organizationId", m.role_id AS "organizationRole", r.ids AS "roles",
           ARRAY(
             SELECT p.permission
             FROM tenancy.roles c JOIN tenancy.role_permissions p ON p.role_id = c.id
             WHERE c.id = ANY (r.ids) AND c.scope = 'workspace' AND c.organization_id = w.organization_id
           ) AS "customPermissions"
    FROM tenancy.workspaces w
    LEFT JOIN tenancy.organization_members m ON m.organization_id = w.organization_id AND m.user_id = ${userId}::uuid
    CROSS JOIN LATERAL (
      SELECT ARRAY(
        SELECT d.role FROM tenancy.workspace_members d WHERE d.workspace_id = w.id AND d.user_id = ${userId}::uuid
        UNION
        SELECT g.role_id
        FROM tenancy.team_workspace_roles g
        JOIN tenancy.teams t ON t.id = g.team_id AND t.organization_id = w.organization_id
        JOIN tenancy.team_members tm ON tm.team_id = t.id
        WHERE g.workspace_id = w.id AND tm.user_id = ${userId}::uuid
      ) AS ids
    ) r
    WHERE ${which}
    ORDER BY w.name, w.id`;
  return found.map(judgeWorkspace);
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
