import { prove, type WorkspaceGrant } from '@foyer/shared/auth/permissions';
import { forbidden, unauthenticated } from '@foyer/shared/auth/viewer';
import { unproven, type GivenId } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { workspaceNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'permissions'>;

/** A workspace, as whoever asks names it. */
export interface GivenWorkspace {
  organizationId: GivenId;
  workspaceId: GivenId;
}

/** A workspace that the viewer may change, and what of it. */
export interface WorkspaceChange extends WorkspaceGrant {
  /** What the viewer may do there at most; null when a permission in the organization let them in. */
  own: ReadonlySet<string> | null;
}

/**
 * Asks for a permission in a workspace, or for one in its organization.
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
    // To who doesn't belong there, a workspace that is there is forbidden, too.
    throw viewer.kind === 'staff' && viewer.organizationId !== organizationId ? forbidden() : workspaceNotFound();
  if ((await permissions.inOrganization(viewer, organizationId)).has(permission.inOrganization))
    return prove({ organizationId, workspaceId, own: null });
  if (!rights.permissions.has(permission.inWorkspace)) throw forbidden();
  return prove({ organizationId, workspaceId, own: rights.permissions });
}
