import { isUuid, unproven, type GivenId, type Id } from '@foyer/shared/ids';
import { openingOf, opensAt } from '@foyer/shared/auth/opening';
import { prove, type OrganizationPermit, type Permissions } from '@foyer/shared/auth/permissions';
import { forbidden, unauthenticated, type LegacyClient, type Staff, type Viewer } from '@foyer/shared/auth/viewer';

interface Needs {
  viewer: Viewer | null;
  permissions: Permissions;
}

/** The owner of a row: a workspace, a whole organization (no workspace), or nobody (neither). */
export interface Owned {
  organizationId: Id | null;
  workspaceId: Id | null;
}

/** Rows of a whole organization need this permission, which covers all its workspaces. */
const OVER_ALL_WORKSPACES = 'org:workspaces:manage';

/**
 * Refuses ids that the database could not look up.
 *
 * @throws {Refusal} `FORBIDDEN`
 */
export function forbiddenUnlessUuid(given: GivenId): GivenId {
  if (!isUuid(unproven(given))) throw forbidden();
  return given;
}

/** An owner as a client names it. */
interface GivenOwner {
  organizationId: GivenId;
  workspaceId: GivenId | null;
}

/**
 * Requires a permission over the rows of a workspace, or of a whole organization (no workspace).
 *
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN`
 */
export async function permitOver(
  needs: Needs,
  permission: string,
  given: GivenOwner,
): Promise<Owned & OrganizationPermit> {
  const owned = { organizationId: unproven(given.organizationId), workspaceId: unproven(given.workspaceId) };
  if (!isUuid(owned.organizationId) || !(await holdsPermissionOver(needs, permission, owned))) throw forbidden();
  return prove(owned);
}

/** Customers, services, and legacy tokens, which pass the role-based routes only. */
const holdsNoPermission = (viewer: Viewer): viewer is Exclude<Viewer, Staff | LegacyClient> =>
  viewer.kind !== 'staff' && viewer.kind !== 'legacy-client';

/** Whether an open route grants the permission to every client that names this organization. */
const isOpened = (viewer: Viewer, permission: string, organizationId: Id | null) => {
  const opening = openingOf(viewer);
  const named = opening?.organizationId !== undefined && opening.organizationId === organizationId;
  return named && opening.permissions.includes(permission) && opensAt(viewer, { organizationId });
};

/**
 * Whether the viewer holds a permission over a row.
 *
 * @throws {Refusal} `UNAUTHENTICATED`; `FORBIDDEN` for viewers who never hold permissions
 */
export async function holdsPermissionOver(
  { viewer, permissions }: Needs,
  permission: string,
  owned: Owned,
): Promise<boolean> {
  if (!viewer) throw unauthenticated();
  if (holdsNoPermission(viewer)) throw forbidden();
  const { organizationId, workspaceId } = owned;
  if (isOpened(viewer, permission, organizationId)) return true;
  if (viewer.kind === 'legacy-client' || !organizationId) return false;
  if (workspaceId === null) return (await permissions.inOrganization(viewer, organizationId)).has(OVER_ALL_WORKSPACES);
  const rights = isUuid(workspaceId) ? await permissions.inWorkspace(viewer, workspaceId) : null;
  return rights?.organizationId === organizationId && rights.permissions.has(permission);
}

/**
 * Finds which rows of a list the viewer may see: those of the workspaces where they hold a permission, and those of
 * the whole organization.
 *
 * @param of the organization; default the viewer's own
 * @returns a condition for the rows
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN`
 */
export async function visibleTo({ viewer, permissions }: Needs, permission: string, of?: GivenId) {
  if (!viewer) throw unauthenticated();
  if (holdsNoPermission(viewer)) throw forbidden();

  const organizationId = of ? unproven(of) : viewer.organizationId;
  if (!organizationId || !isUuid(organizationId)) throw forbidden();
  if (isOpened(viewer, permission, organizationId)) return { organizationId };
  if (viewer.kind === 'legacy-client') throw forbidden();
  const workspaces = await permissions.workspacesWith(viewer, organizationId, permission);
  if (workspaces.length === 0) throw forbidden();
  return { organizationId, OR: [{ workspaceId: null }, { workspaceId: { in: [...workspaces] } }] };
}
