import type { Context } from '../context.ts';
import type { SeenOrganization } from '../tenancy/organization.ts';
import { workspaceAsSeen, type SeenWorkspace } from './workspace.ts';

/** Lists the workspaces of an organization that the viewer may know. */
export async function listWorkspaces(
  { loaders }: Pick<Context, 'loaders'>,
  { id, known }: SeenOrganization,
): Promise<SeenWorkspace[]> {
  if (!known) return [];
  return (await loaders.workspacesOf.load(id)).map((workspace) => workspaceAsSeen(workspace, true));
}
