import { unproven, type GivenId, type Id } from '@foyer/shared/ids';
import { openingOf, opensAt } from '@foyer/shared/auth/opening';
import { permitInWorkspace, prove, type Permissions, type Proven } from '@foyer/shared/auth/permissions';
import { forbidden, requireStaff, unauthenticated, type Viewer } from '@foyer/shared/auth/viewer';

import type { Loaders } from './loaders.ts';
import { mediaNotFound, workspaceRequired } from './refusals.ts';

interface Needs {
  viewer: Viewer | null;
  permissions: Permissions;
}

/** Proof of a permission on the media of one workspace; through an open route one may work without one. */
export interface MediaGrant extends Proven {
  workspaceId: Id | null;
  organizationId: Id | null;
}

/** Which rows somebody may list; empty: all of them. */
export interface MediaReach {
  workspaceId?: Id | { in: string[] };
  organizationId?: Id;
}

/** Something that belongs to a workspace, or to none. */
interface Placed {
  workspaceId: Id | null;
  organizationId: Id | null;
}

/**
 * Asks for a permission on the media of a workspace. Where none is named, it is the only one in which the viewer holds the
 * permission; an open route asks for none.
 *
 * @throws {Refusal} `WORKSPACE_REQUIRED`
 */
export async function permitMedia(
  needs: Needs,
  given: GivenId | null | undefined,
  permission: string,
): Promise<MediaGrant> {
  const { viewer } = needs;
  if (!viewer) throw unauthenticated();
  if (viewer.kind === 'legacy-client') return grantOpened(viewer, unproven(given), permission);
  const workspaceId = unproven(given) ?? (await onlyWorkspace(needs, permission));
  if (workspaceId) return permitInWorkspace(needs, workspaceId, permission);
  if (openingOf(viewer)) return grantOpened(viewer, null, permission);
  throw workspaceRequired();
}

/** The media of a workspace that the viewer may look into; where none is named, of all of them. */
export async function reachMedia(
  needs: Needs,
  given: GivenId | null | undefined,
  permission: string,
): Promise<MediaReach> {
  const { viewer, permissions } = needs;
  if (!viewer) throw unauthenticated();
  if (given || openingOf(viewer)) {
    const { workspaceId, organizationId } = given
      ? await permitMedia(needs, given, permission)
      : grantOpened(viewer, null, permission);
    if (workspaceId) return { workspaceId };
    return organizationId ? { organizationId } : {};
  }
  const { organizationId } = requireStaff(viewer);
  const workspaces = await permissions.workspacesWith(viewer, organizationId, permission);
  if (workspaces.length === 0) throw forbidden();
  return { organizationId, workspaceId: { in: [...workspaces] } };
}

async function onlyWorkspace({ viewer, permissions }: Needs, permission: string): Promise<Id | null> {
  const staff = requireStaff(viewer);
  const workspaces = await permissions.workspacesWith(staff, staff.organizationId, permission);
  return workspaces.length === 1 ? (workspaces[0] ?? null) : null;
}

/** One media item as a client names it. */
export interface GivenMedia {
  id: string;
  /** Where given, the item is found only if it is of this tenant. */
  tenant?: string | null | undefined;
}

/** The row that a client names, not yet permitted; null where there is none, or of another tenant. */
export async function namedMedia({ loaders }: { loaders: Loaders }, { id, tenant }: GivenMedia) {
  const row = await loaders.media.load(id);
  return row && (!tenant || row.tenant === tenant) ? row : null;
}

/** Asks for a permission on one media item; who may not even see it is told that it is not there. */
export async function permitOnMedia<Row extends Placed>(
  needs: Needs,
  row: Row | null,
  permission: string,
): Promise<Row> {
  if (!needs.viewer) throw unauthenticated();
  if (!row || !(await mayOnMedia(needs, row, 'media:view', permission))) throw mediaNotFound();
  if (!(await mayOnMedia(needs, row, permission))) throw forbidden();
  return row;
}

/** Whether the viewer holds one of these permissions where the item belongs. */
export async function mayOnMedia(needs: Needs, row: Placed, ...anyOf: string[]): Promise<boolean> {
  const { viewer, permissions } = needs;
  if (!viewer) return false;
  const opened = opensAt(viewer, row) ? openingOf(viewer) : undefined;
  if (anyOf.some((permission) => opened?.permissions.includes(permission))) return true;
  if (viewer.kind === 'legacy-client') return false;
  const rights = row.workspaceId && (await permissions.inWorkspace(viewer, row.workspaceId));
  return !!rights && anyOf.some((permission) => rights.permissions.has(permission));
}

/** The documented routes trust the workspace that the client names; they still hold it to its own word. */
function grantOpened(viewer: Viewer, workspaceId: Id | null | undefined, permission: string): MediaGrant {
  const opening = openingOf(viewer);
  const claimed = opening?.workspaceId ?? null;
  if (!opening?.permissions.includes(permission) || (claimed && workspaceId && claimed !== workspaceId))
    throw forbidden();
  return prove({ workspaceId: workspaceId ?? claimed, organizationId: opening.organizationId ?? null });
}
