import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Permissions } from '@foyer/shared/permissions';
import type { Viewer } from '@foyer/shared/viewer';

import { passwordChangeRequired } from './refusals.ts';

/**
 * `ENFORCE_PASSWORD_CHANGE`: whoever must choose a new password is asked to before anything that needs a
 * permission. It costs one look at the database for each, and so it is off by default, as documented.
 */
export function enforcePasswordChange(permissions: Permissions, db: Pick<IdentityDatabase, 'authUser'>): Permissions {
  async function assertChosen(viewer: Viewer): Promise<void> {
    if (viewer.kind !== 'staff') return;
    const user = await db.authUser.findUnique({ where: { id: viewer.userId } });
    if (user?.passwordChangeRequired) throw passwordChangeRequired();
  }
  return {
    async onPlatform(viewer) {
      await assertChosen(viewer);
      return permissions.onPlatform(viewer);
    },
    async inOrganization(viewer, organizationId) {
      await assertChosen(viewer);
      return permissions.inOrganization(viewer, organizationId);
    },
    async inWorkspace(viewer, workspaceId) {
      await assertChosen(viewer);
      return permissions.inWorkspace(viewer, workspaceId);
    },
    async workspacesWith(viewer, organizationId, permission) {
      await assertChosen(viewer);
      return permissions.workspacesWith(viewer, organizationId, permission);
    },
  };
}
