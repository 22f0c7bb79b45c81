import type { Workspace } from '@foyer/prisma/client';
import { requireLogin } from '@foyer/shared/auth/viewer';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { knowsOrganization } from '../tenancy/knows-organization.ts';
import { workspaceNotFound } from './refusals.ts';
import { workspaceAsSeen, type SeenWorkspace } from './workspace.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/**
 * Finds the workspace with an id that the viewer has named, if they may know it.
 *
 * @throws {Refusal} `UNAUTHENTICATED`
 */
export async function lookUpWorkspace(needs: Needs, id: Id): Promise<SeenWorkspace | null> {
  requireLogin(needs.viewer);
  const workspace = await needs.loaders.workspaces.load(id);
  return workspace && (await knowsWorkspace(needs, workspace)) ? workspaceAsSeen(workspace, true) : null;
}

/** Finds the workspace of a record that the viewer may read, as far as they may see it: at least the name. */
export async function findWorkspace(needs: Needs, id: Id): Promise<SeenWorkspace | null> {
  const workspace = await needs.loaders.workspaces.load(id);
  return workspace && workspaceAsSeen(workspace, await knowsWorkspace(needs, workspace));
}

/** Whether the viewer may know a workspace: as somebody who may know the organization, or who works in it. */
export async function knowsWorkspace(
  needs: Needs,
  { id, organizationId }: Pick<Workspace, 'id' | 'organizationId'>,
): Promise<boolean> {
  if (await knowsOrganization(needs, organizationId)) return true;
  if (!needs.viewer) return false;
  return ((await needs.permissions.inWorkspace(needs.viewer, id))?.permissions.size ?? 0) > 0;
}

/** The same for a record that must have a workspace. */
export async function requireWorkspace(needs: Needs, id: Id): Promise<SeenWorkspace> {
  const workspace = await findWorkspace(needs, id);
  if (!workspace) throw workspaceNotFound(); // deleted since the record was read
  return workspace;
}
