import { unproven, type GivenId, type Id } from '@foyer/shared/ids';
import { forbidden, type Staff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { readMe, type Me } from './read-me.ts';

type Needs = Pick<Context, 'viewer' | 'readViewer' | 'permissions' | 'loaders'>;

/** What a client says of itself beside its token. */
interface Named {
  userId?: Id | null | undefined;
  organizationId?: GivenId | null | undefined;
  workspaceId?: GivenId | null | undefined;
}

/** @throws {Refusal} `FORBIDDEN` when the client names another person, or a place where this one does not work */
export async function readMeAsNamed(needs: Needs, viewer: Staff, named: Named): Promise<Me> {
  const organizationId = unproven(named.organizationId);
  const workspaceId = unproven(named.workspaceId);
  if (named.userId && named.userId !== viewer.userId) throw forbidden();
  if (organizationId && !(await worksInOrganization(needs, viewer, organizationId))) throw forbidden();
  if (workspaceId && !(await worksInWorkspace(needs, viewer, workspaceId))) throw forbidden();
  return readMe(needs);
}

const worksInOrganization = async ({ loaders }: Needs, viewer: Staff, id: Id) =>
  viewer.organizationId === id || (await loaders.organizationsOf.load(viewer.userId)).has(id);

/** Whoever belongs to the organization may name each of its workspaces, also those where they may do nothing. */
async function worksInWorkspace({ loaders, permissions }: Needs, viewer: Staff, id: Id): Promise<boolean> {
  if ((await loaders.workspaces.load(id))?.organizationId === viewer.organizationId) return true;
  return ((await permissions.inWorkspace(viewer, id))?.permissions.size ?? 0) > 0;
}
