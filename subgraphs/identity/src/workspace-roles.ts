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

/**
 * Selects the {@link WorkspaceRoles} of one person, ordered by name: what `/me` shows and what is enforced.
 *
 * @param userId a value, or a column of the statement around it
 * @param which the condition on workspaces (`w`)
 */
export const selectWorkspaceRoles = (userId: Prisma.Sql, which: Prisma.Sql): Prisma.Sql => Prisma.sql`
    SELECT w.id, w.name, w.organization_id AS "organizationId", m.role_id AS "organizationRole", r.ids AS "roles",
           ARRAY(
             SELECT p.permission
             FROM tenancy.roles c JOIN tenancy.role_permissions p ON p.role_id = c.id
             WHERE c.id = ANY (r.ids) AND c.scope = 'workspace' AND c.organization_id = w.organization_id
           ) AS "customPermissions"
    FROM tenancy.workspaces w
    LEFT JOIN tenancy.organization_members m ON m.organization_id = w.organization_id AND m.user_id = ${userId}
    CROSS JOIN LATERAL (
      SELECT ARRAY(
        SELECT d.role FROM tenancy.workspace_members d WHERE d.workspace_id = w.id AND d.user_id = ${userId}
        UNION
        SELECT g.role_id
        FROM tenancy.team_workspace_roles g
        JOIN tenancy.teams t ON t.id = g.team_id AND t.organization_id = w.organization_id
        JOIN tenancy.team_members tm ON tm.team_id = t.id
        WHERE g.workspace_id = w.id AND tm.user_id = ${userId}
      ) AS ids
    ) r
    WHERE ${which}
    ORDER BY w.name, w.id`;
