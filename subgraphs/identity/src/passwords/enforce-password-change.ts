import type { IdentityDatabase } from '@foyer/prisma/identity';
import { throughOpening } from '@foyer/shared/auth/opening';
import type { Permissions } from '@foyer/shared/auth/permissions';
import type { Viewer } from '@foyer/shared/auth/viewer';

import { passwordChangeRequired } from './refusals.ts';

/**
 * `ENFORCE_PASSWORD_CHANGE`: refuses whatever needs a permission to people who must choose a new password first. It
 * costs one query per check, so it is off by default, as documented. On open routes these people have the permissions
 * of everybody.
 */
export function enforcePasswordChange(permissions: Permissions, db: Pick<IdentityDatabase, 'authUser'>): Permissions {
  async function whoMayAct(viewer: Viewer): Promise<Viewer> {
    if (viewer.kind !== 'staff') return viewer;
    const user = await db.authUser.findUnique({ where: { id: viewer.userId } });
    if (!user?.passwordChangeRequired) return viewer;
    if (viewer.opening) return throughOpening(null, viewer.opening);
    throw passwordChangeRequired();
  }
  return {
    onPlatform: async (viewer) => permissions.onPlatform(await whoMayAct(viewer)),
    inOrganization: async (viewer, organizationId) =>
      permissions.inOrganization(await whoMayAct(viewer), organizationId),
    inWorkspace: async (viewer, workspaceId) => permissions.inWorkspace(await whoMayAct(viewer), workspaceId),
    workspacesWith: async (viewer, organizationId, permission) =>
      permissions.workspacesWith(await whoMayAct(viewer), organizationId, permission),
  };
}
