import type { MediaVisibility } from '@foyer/prisma/client';
import { unproven, type GivenId, type Id } from '@foyer/shared/ids';
import { openingOf, opensAt, withoutOpening } from '@foyer/shared/auth/opening';
import { permitInWorkspace, prove, type Permissions, type Proven } from '@foyer/shared/auth/permissions';
import { forbidden, requireStaff, unauthenticated, type Viewer } from '@foyer/shared/auth/viewer';

import type { Loaders } from './loaders.ts';
import { mediaNotFound, workspaceRequired } from './refusals.ts';

interface Needs {
  viewer: Viewer | null;
  permissions: Permissions;
}

/** The proof of a permission on the media of a workspace; only an open route permits work without a workspace. */
export interface MediaPermit extends Proven {
  workspaceId: Id | null;
  organizationId: Id | null;
}

/** The filter of the rows that a viewer may list; empty for all of them. */
export interface MediaScope {
  workspaceId?: Id | { in: string[] };
  organizationId?: Id;
}

/** A row that belongs to a workspace, or to none. */
interface Placed {
  workspaceId: Id | null;
  organizationId: Id | null;
  /** Of a media item: no open route opens a private one. */
  visibility?: MediaVisibility;
}

/**
 * Checks a permission on the media of a workspace. Without a named workspace it is the only one in which the viewer holds
 * the permission; an open route needs none.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN`, `WORKSPACE_REQUIRED`
 */
export async function permitMedia(
  needs: Needs,
  given: GivenId | null | undefined,
  permission: string,
): Promise<MediaPermit> {
  const { viewer } = needs;
  if (!viewer) throw unauthenticated();
  if (viewer.kind === 'legacy-client') return permitThroughOpening(viewer, unproven(given), permission);
  const workspaceId = unproven(given) ?? (await onlyWorkspace(needs, permission));
  if (workspaceId) return permitInWorkspace(needs, workspaceId, permission);
  if (openingOf(viewer)) return permitThroughOpening(viewer, null, permission);
  throw workspaceRequired();
}

/** Returns the scope of a list: one workspace that the viewer may look into, or, where none is named, all of them. */
export async function permitMediaList(
  needs: Needs,
  given: GivenId | null | undefined,
  permission: string,
): Promise<MediaScope> {
  const { viewer, permissions } = needs;
  if (!viewer) throw unauthenticated();
  if (given || openingOf(viewer)) {
    const { workspaceId, organizationId } = given
      ? await permitMedia(needs, given, permission).catch((refusal: unknown) => permitLeftBy(needs, given, refusal))
      : permitThroughOpening(viewer, null, permission);
    if (workspaceId) return { workspaceId };
    return organizationId ? { organizationId } : {};
  }
  const { organizationId } = requireStaff(viewer);
  const workspaces = await permissions.workspacesWith(viewer, organizationId, permission);
  if (workspaces.length === 0) throw forbidden();
  return { organizationId, workspaceId: { in: [...workspaces] } };
}

/** Returns the filter that leaves out private media which only an open route would show to the viewer. */
export async function privateOnlyTo({ viewer, permissions }: Needs, permission: string) {
  if (!openingOf(viewer)) return {};
  const own = withoutOpening(viewer);
  const workspaces = own?.kind === 'staff' ? await permissions.workspacesWith(own, own.organizationId, permission) : [];
  return { OR: [{ visibility: 'PUBLIC' as const }, { workspaceId: { in: [...workspaces] } }] };
}

async function onlyWorkspace({ viewer, permissions }: Needs, permission: string): Promise<Id | null> {
  const staff = requireStaff(viewer);
  const workspaces = await permissions.workspacesWith(staff, staff.organizationId, permission);
  return workspaces.length === 1 ? (workspaces[0] ?? null) : null;
}

/** A media item as a client names it. */
export interface GivenMedia {
  id: string;
  /** Restricts the search to this tenant. */
  tenant?: string | null | undefined;
}

/** Loads the row that a client names, without checking permissions; null when there is none in that tenant. */
export async function loadMedia({ loaders }: { loaders: Loaders }, { id, tenant }: GivenMedia) {
  const row = await loaders.media.load(id);
  return row && (!tenant || row.tenant === tenant) ? row : null;
}

/**
 * Checks a permission on one media item. To a viewer who may not even see it, it does not exist.
 *
 * @throws {Refusal} `UNAUTHENTICATED`, `FORBIDDEN`, `MEDIA_NOT_FOUND`
 */
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

/** Returns whether the viewer holds one of these permissions in the workspace of the row. */
export async function mayOnMedia(needs: Needs, row: Placed, ...anyOf: string[]): Promise<boolean> {
  const { permissions } = needs;
  const viewer = row.visibility === 'PRIVATE' ? withoutOpening(needs.viewer) : needs.viewer;
  if (!viewer) return false;
  const opened = opensAt(viewer, row) ? openingOf(viewer) : undefined;
  if (anyOf.some((permission) => opened?.permissions.includes(permission))) return true;
  if (viewer.kind === 'legacy-client') return false;
  if (!row.workspaceId) return false;
  const rights = await permissions.inWorkspace(viewer, row.workspaceId);
  return rights
    ? anyOf.some((permission) => rights.permissions.has(permission))
    : runsPlatform({ viewer, permissions });
}

/** Nobody holds a permission in a workspace that was deleted: over what it has left it is whoever runs the platform. */
const runsPlatform = async ({ viewer, permissions }: Needs): Promise<boolean> =>
  viewer?.kind === 'staff' && (await permissions.onPlatform(viewer)).has('org:manage');

/** Permits a list of what a deleted workspace has left. @throws the refusal to everybody else, and for a workspace that exists */
async function permitLeftBy(needs: Needs, given: GivenId, refusal: unknown): Promise<MediaPermit> {
  const workspaceId = unproven(given);
  const isLeft =
    (await runsPlatform(needs)) && !(await needs.permissions.inWorkspace(requireStaff(needs.viewer), workspaceId));
  if (!isLeft) throw refusal;
  return prove({ workspaceId, organizationId: null });
}

/** The documented routes trust the workspace that a client names, unless it contradicts the one of its own credential. */
function permitThroughOpening(viewer: Viewer, workspaceId: Id | null | undefined, permission: string): MediaPermit {
  const opening = openingOf(viewer);
  const claimed = opening?.workspaceId ?? null;
  if (!opening?.permissions.includes(permission) || (claimed && workspaceId && claimed !== workspaceId))
    throw forbidden();
  return prove({ workspaceId: workspaceId ?? claimed, organizationId: opening.organizationId ?? null });
}
