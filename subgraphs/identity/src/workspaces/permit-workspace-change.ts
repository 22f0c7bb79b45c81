import { prove, type WorkspacePermit } from '@foyer/shared/auth/permissions';
import { forbidden, unauthenticated } from '@foyer/shared/auth/viewer';
import { unproven, type GivenId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { workspaceNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions'>;

/** A workspace as a client names it, unproven. */
export interface GivenWorkspace {
  organizationId: GivenId;
  workspaceId: GivenId;
}

/** The permit to change a workspace. */
export interface WorkspaceChange extends WorkspacePermit {
  /** The viewer's permissions there, which limit the change; null when a permission in the organization allowed it. */
  own: ReadonlySet<string> | null;
}

/**
 * Requires a permission in a workspace, or one in its organization.
 *
 * @throws {Refusal} `WORKSPACE_NOT_FOUND` also for a workspace of another organization; `FORBIDDEN` whatever there is
 *   in an organization that isn't the viewer's own
 */
export async function permitWorkspaceChange(
  { viewer, permissions }: Needs,
  given: GivenWorkspace,
  permission: { inWorkspace: string; inOrganization: string },
): Promise<WorkspaceChange> {
  if (!viewer) throw unauthenticated();
  const [organizationId, workspaceId] = [unproven(given.organizationId), unproven(given.workspaceId)];
  const rights = await permissions.inWorkspace(viewer, workspaceId);
  if (rights?.organizationId !== organizationId)
    // Outsiders get FORBIDDEN, whether or not the workspace exists.
    throw viewer.kind === 'staff' && viewer.organizationId !== organizationId ? forbidden() : workspaceNotFound();
  if ((await permissions.inOrganization(viewer, organizationId)).has(permission.inOrganization))
    return prove({ organizationId, workspaceId, own: null });
  if (!rights.permissions.has(permission.inWorkspace)) throw forbidden();
  return prove({ organizationId, workspaceId, own: rights.permissions });
}
