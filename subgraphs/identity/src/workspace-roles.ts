import { Prisma } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';

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

/** A workspace, with one of those roles, or without any. */
export interface WorkspaceRole extends Omit<WorkspaceRoles, 'roles'> {
  role: string | null;
}

/**
 * Selects the {@link WorkspaceRole}s of one person, ordered by the names of the workspaces: what `/me` shows and what is
 * enforced. It begins with the person, who has few roles, and has few nodes, because starting a plan takes longer than
 * reading these rows.
 *
 * @param userId a value, or a column of the statement around it
 * @param which the condition on workspaces (`w`)
 */
export const selectWorkspaceRoles = (userId: Prisma.Sql, which: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT w.id, w.name, w.organization_id AS "organizationId", m.role_id AS "organizationRole", h.role,
           ARRAY(
             SELECT p.permission
             FROM tenancy.roles c JOIN tenancy.role_permissions p ON p.role_id = c.id
             WHERE c.id = h.role AND c.scope = 'workspace' AND c.organization_id = w.organization_id
           ) AS "customPermissions"
    FROM tenancy.workspaces w
    LEFT JOIN tenancy.organization_members m ON m.organization_id = w.organization_id AND m.user_id = ${userId}
    LEFT JOIN (
      SELECT d.workspace_id, d.role, NULL::uuid AS organization_id
      FROM tenancy.workspace_members d WHERE d.user_id = ${userId}
      UNION ALL
      SELECT g.workspace_id, g.role_id, t.organization_id
      FROM tenancy.team_members tm
      JOIN tenancy.teams t ON t.id = tm.team_id
      JOIN tenancy.team_workspace_roles g ON g.team_id = t.id
      WHERE tm.user_id = ${userId}
    ) h ON h.workspace_id = w.id AND (h.organization_id IS NULL OR h.organization_id = w.organization_id)
    WHERE ${which}
    ORDER BY w.name, w.id`;

/** Collects the roles of each workspace, in the order of the rows. */
export function byWorkspace(rows: readonly WorkspaceRole[]): WorkspaceRoles[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((ofOne) => {
    const [first] = ofOne;
    if (!first) return [];
    const { id, name, organizationId, organizationRole } = first;
    const roles = [...new Set(ofOne.flatMap(({ role }) => role ?? []))];
    const customPermissions = ofOne.flatMap((each) => each.customPermissions);
    return { id, name, organizationId, organizationRole, roles, customPermissions };
  });
}
