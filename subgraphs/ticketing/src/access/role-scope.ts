import { isUuid, type Id } from '@foyer/shared/ids';
import type { Permissions } from '@foyer/shared/auth/permissions';
import { requireStaff, type Viewer } from '@foyer/shared/auth/viewer';

import { type Owned } from './staff-scope.ts';

interface Needs {
  viewer: Viewer | null;
  permissions: Permissions;
}

/** The rows of a table that a viewer may see by role, as a condition; empty for all rows. */
export interface RoleScope {
  organizationId?: Id;
  workspaceId?: { in: string[] };
}

/**
 * Whether the viewer passes the role-based routes as a SYSADMIN, in all organizations. That needs `org:manage` on the
 * platform; other platform roles open the console only (spec 1, "System roles"). A legacy token names no organization,
 * because it dates from when Foyer had only one. Everybody else is ADMIN or MEMBER of the organization they logged in to
 * and needs permissions in its workspaces (docs/decisions/0016).
 *
 * @throws {Refusal} `UNAUTHENTICATED`; `FORBIDDEN` for viewers who are not staff
 */
export async function passesAsSysadmin({ viewer, permissions }: Needs): Promise<boolean> {
  if (viewer?.kind === 'legacy-user') return true;
  return (await permissions.onPlatform(requireStaff(viewer))).has('org:manage');
}

/**
 * Finds which rows the viewer may see by role, where each row belongs to a workspace.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN`
 */
export async function roleScopeOf(needs: Needs, permission: string): Promise<RoleScope> {
  if (await passesAsSysadmin(needs)) return {};
  const { permissions } = needs;
  const staff = requireStaff(needs.viewer);
  const { organizationId } = staff;
  return {
    organizationId,
    workspaceId: { in: [...(await permissions.workspacesWith(staff, organizationId, permission))] },
  };
}

/** Adds the rows that belong to an organization as a whole: everybody in it may see those. */
export const withOrganizationWide = ({ workspaceId, ...organization }: RoleScope) => ({
  ...organization,
  ...(workspaceId && { OR: [{ workspaceId: null }, { workspaceId }] }),
});

/**
 * Whether the viewer may change a row by role.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN`
 */
export async function mayChangeByRole(needs: Needs, permission: string, owned: Owned): Promise<boolean> {
  if (await passesAsSysadmin(needs)) return true;
  const { permissions } = needs;
  const staff = requireStaff(needs.viewer);
  const { organizationId, workspaceId } = owned;
  if (!workspaceId) return organizationId === staff.organizationId;
  const rights = isUuid(workspaceId) ? await permissions.inWorkspace(staff, workspaceId) : null;
  return rights?.organizationId === organizationId && rights.permissions.has(permission);
}
