import { unproven, type GivenId, type Id } from '@foyer/shared/ids';
import { permitInWorkspace, prove, type Permissions, type Proven } from '@foyer/shared/permissions';
import { forbidden, unauthenticated, type LegacyClient, type Viewer } from '@foyer/shared/viewer';

import { mediaNotFound, workspaceRequired } from './refusals.ts';

interface Needs {
  viewer: Viewer | null;
  permissions: Permissions;
}

/** Proof of a permission on the media of one workspace; a legacy client may work without one. */
export interface MediaGrant extends Proven {
  workspaceId: Id | null;
  organizationId: Id | null;
}

/** Asks for a permission on the media of a workspace. */
export async function permitMedia(
  needs: Needs,
  given: GivenId | null | undefined,
  permission: string,
): Promise<MediaGrant> {
  const { viewer } = needs;
  const workspaceId = unproven(given);
  if (!viewer) throw unauthenticated();
  if (viewer.kind === 'legacy-client') return grantLegacy(viewer, workspaceId, permission);
  if (!workspaceId) throw workspaceRequired();
  return permitInWorkspace(needs, workspaceId, permission);
}

/** Asks for a permission on one media item; who may not even see it is told that it is not there. */
export async function permitOnMedia<Row extends { workspaceId: Id | null }>(
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
export async function mayOnMedia(needs: Needs, row: { workspaceId: Id | null }, ...anyOf: string[]): Promise<boolean> {
  const { viewer, permissions } = needs;
  if (!viewer) return false;
  if (viewer.kind === 'legacy-client') {
    return anyOf.some((permission) => viewer.permissions.includes(permission)) && isOf(viewer, row.workspaceId);
  }
  const rights = row.workspaceId && (await permissions.inWorkspace(viewer, row.workspaceId));
  return !!rights && anyOf.some((permission) => rights.permissions.has(permission));
}

/** The documented routes trust the workspace that the client names; they still hold it to its own word. */
function grantLegacy(viewer: LegacyClient, workspaceId: Id | null | undefined, permission: string): MediaGrant {
  if (!viewer.permissions.includes(permission) || !isOf(viewer, workspaceId)) throw forbidden();
  return prove({
    workspaceId: workspaceId ?? viewer.workspaceId ?? null,
    organizationId: viewer.organizationId ?? null,
  });
}

const isOf = (viewer: LegacyClient, workspaceId: Id | null | undefined) =>
  !viewer.workspaceId || !workspaceId || viewer.workspaceId === workspaceId;
