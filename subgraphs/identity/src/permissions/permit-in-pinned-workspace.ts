import type { Id } from '@foyer/shared/ids';
import { permitInWorkspace, type WorkspacePermit } from '@foyer/shared/auth/permissions';

import type { Context } from '../context.ts';
import { workspaceNotFound } from '../workspaces/refusals.ts';

/**
 * Requires a permission in the workspace that the operator has pinned (TICKETING_WORKSPACE_ID), for routes whose path
 * names none.
 *
 * @throws {Refusal} `WORKSPACE_NOT_FOUND` also where none is pinned
 */
export async function permitInPinnedWorkspace(
  needs: Pick<Context, 'viewer' | 'permissions'> & { pinnedWorkspaceId: Id | undefined },
  permission: string,
): Promise<WorkspacePermit> {
  if (!needs.pinnedWorkspaceId) throw workspaceNotFound();
  return permitInWorkspace(needs, needs.pinnedWorkspaceId, permission);
}
