import type { Workspace } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { knowsOrganization } from '../organizations/knows-organization.ts';
import { workspaceAsSeen, type SeenWorkspace } from './workspace.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** The workspace with that id, as far as the viewer may see it. */
export async function findWorkspace(needs: Needs, id: string): Promise<SeenWorkspace | null> {
  const workspace = await needs.loaders.workspaces.load(id);
  return workspace && workspaceAsSeen(workspace, await knowsWorkspace(needs, workspace));
}

/** Who knows the organization knows its workspaces; others know the one they work in. */
async function knowsWorkspace(needs: Needs, { id, organizationId }: Workspace): Promise<boolean> {
  if (await knowsOrganization(needs, organizationId)) return true;
  if (!needs.viewer) return false;
  return ((await needs.permissions.inWorkspace(needs.viewer, id))?.permissions.size ?? 0) > 0;
}
