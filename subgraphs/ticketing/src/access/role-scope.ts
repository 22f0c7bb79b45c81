import { isUuid, type Id } from '@foyer/shared/ids';
import type { Permissions } from '@foyer/shared/auth/permissions';
import { requireStaff, type Viewer } from '@foyer/shared/auth/viewer';

import { type Owned } from './staff-scope.ts';

interface Needs {
  viewer: Viewer | null;
  permissions: Permissions;
}

/** What of a table somebody reaches, as a condition for its rows; empty: all of it. */
export interface Reach {
  organizationId?: Id;
  workspaceId?: { in: string[] };
}

/**
 * Whether somebody passes the role-based routes as SYSADMIN does, in all organizations: who manages organizations on the
 * platform. Its other roles have access to the console only (spec 1, "System roles"). A legacy token names no
 * organization, whatever its role: it is from a time when the house had one. All others are ADMIN or MEMBER of the organization they signed
 * in to, and what that lets them do in its workspaces is what they hold there (docs/decisions/0016).
 *
 * @throws {Refusal} `UNAUTHENTICATED`; `FORBIDDEN` for who is not of the staff
 */
export async function passesAsSysadmin({ viewer, permissions }: Needs): Promise<boolean> {
  if (viewer?.kind === 'legacy-user') return true;
  return (await permissions.onPlatform(requireStaff(viewer))).has('org:manage');
}

/**
 * What somebody reaches by role, of rows that each belong to a workspace.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN`
 */
export async function reachOf(needs: Needs, permission: string): Promise<Reach> {
  if (await passesAsSysadmin(needs)) return {};
  const { permissions } = needs;
  const staff = requireStaff(needs.viewer);
  const { organizationId } = staff;
  return {
    organizationId,
    workspaceId: { in: [...(await permissions.workspacesWith(staff, organizationId, permission))] },
  };
}

/** The same, of rows that may also belong to an organization as a whole: those are for everybody in it. */
export const withTheWhole = ({ workspaceId, ...organization }: Reach) => ({
  ...organization,
  ...(workspaceId && { OR: [{ workspaceId: null }, { workspaceId }] }),
});

/**
 * Whether somebody may, by role, change something.
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
