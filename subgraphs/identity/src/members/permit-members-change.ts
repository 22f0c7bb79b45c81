import type { Context } from '../context.ts';
import {
  permitWorkspaceChange,
  type GivenWorkspace,
  type WorkspaceChange,
} from '../workspaces/permit-workspace-change.ts';

/** Who may say who works in a workspace: by the workspace's own permission, or the organization's. */
export const permitMembersChange = (
  needs: Pick<Context, 'viewer' | 'permissions'>,
  workspace: GivenWorkspace,
): Promise<WorkspaceChange> =>
  permitWorkspaceChange(needs, workspace, {
    inWorkspace: 'workspace:members:manage',
    inOrganization: 'org:workspaces:manage',
  });
