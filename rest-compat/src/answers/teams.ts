import { z } from 'zod';

import type { TeamPartsFragment, TeamWorkspacePartsFragment } from '../generated/operations.ts';

/** The role of a team in a workspace. */
export const WorkspaceGrant = z
  .object({ workspace_id: z.string(), workspace_name: z.string(), role: z.string() })
  .meta({ id: 'WorkspaceGrant' });

export const workspaceGrant = ({ workspace, role }: TeamWorkspacePartsFragment): z.input<typeof WorkspaceGrant> => ({
  workspace_id: workspace.id,
  workspace_name: workspace.name,
  role,
});

/** The workspace that was taken from a team. */
export const WorkspaceId = z.object({ workspace_id: z.string() }).meta({ id: 'WorkspaceId' });

export const Team = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    workspaces: z.array(WorkspaceGrant),
  })
  .meta({ id: 'Team' });

export const team = ({ id, name, description, workspaces }: TeamPartsFragment): z.input<typeof Team> => ({
  id,
  name,
  description,
  workspaces: workspaces.map(workspaceGrant),
});
