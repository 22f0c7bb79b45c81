import type { Context } from '../context.ts';
import {
  permitWorkspaceChange,
  type GivenWorkspace,
  type WorkspaceChange,
} from '../workspaces/permit-workspace-change.ts';

/** Permits changes of a workspace's members, by the workspace's own permission or the organization's. */
export const permitMembersChange = (
  needs: Pick<Context, 'viewer' | 'permissions'>,
  workspace: GivenWorkspace,
): Promise<WorkspaceChange> =>
  permitWorkspaceChange(needs, workspace, {
    inWorkspace: 'workspace:members:manage',
    inOrganization: 'org:workspaces:manage',
  });
