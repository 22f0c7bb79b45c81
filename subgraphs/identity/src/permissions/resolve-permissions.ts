import type { IdentityDatabase } from '@foyer/prisma/identity';
import { isUuid, readId, type Id } from '@foyer/shared/ids';
import type { Permissions } from '@foyer/shared/auth/permissions';
import { openingOf, opensAt } from '@foyer/shared/auth/opening';
import type { Viewer } from '@foyer/shared/auth/viewer';
import { LRUCache } from 'lru-cache';

import { grantsOf, grantsOnPlatform, nothing, permissionsOf, seededRoles } from './catalog.ts';
import { rightsByWorkspace } from './workspace-rights.ts';

/** How long the cached grants of a custom role may be out of date. */
const CUSTOM_ROLE_TTL_MS = 5_000;
const CUSTOM_ROLE_LIMIT = 1_000;

/**
 * Resolves what a viewer may do, for enforcement and for `/me` alike. Tokens of the legacy scheme grant nothing here:
 * their routes check the role itself.
 */
export function resolvePermissions({ db }: { db: IdentityDatabase }): Permissions {
  const customRoles = new LRUCache<string, ReadonlySet<string>>({
    max: CUSTOM_ROLE_LIMIT,
    ttl: CUSTOM_ROLE_TTL_MS,
    fetchMethod: (key) => {
      const [roleId = '', organizationId = ''] = key.split(' ');
      return customGrants(db, roleId, readId(organizationId));
    },
  });

  const ofRole = async (role: string, organizationId: Id): Promise<ReadonlySet<string>> => {
    if (seededRoles.has(role)) return grantsOf(role, 'organization');
    return isUuid(role) ? ((await customRoles.fetch(`${role} ${organizationId}`)) ?? nothing) : nothing;
  };

  return {
    async onPlatform(viewer) {
      if (viewer.kind === 'service') return permissionsOf('platform');
      if (viewer.kind !== 'staff') return nothing;
      const member = await db.platformMember.findUnique({ where: { userId: viewer.userId } });
      return grantsOnPlatform(member?.roleId ?? null);
    },
    async inOrganization(viewer, organizationId) {
      if (viewer.kind === 'service') return permissionsOf('organization');
      const named = openingOf(viewer)?.organizationId === organizationId;
      const opened = named ? openedAt(viewer, { id: null, organizationId }) : nothing;
      if (viewer.kind !== 'staff' || viewer.organizationId !== organizationId) return opened;
      return (await ofRole(viewer.role, organizationId)).union(opened);
    },
    async inWorkspace(viewer, workspaceId) {
      if (!isUuid(workspaceId)) return null;
      if (viewer.kind === 'staff') {
        const [rights] = await rightsByWorkspace(db, viewer.userId, { workspaceId });
        return rights ? { ...rights, permissions: rights.permissions.union(openedAt(viewer, rights)) } : null;
      }
      const workspace = await db.workspace.findUnique({ where: { id: workspaceId } });
      return workspace && { organizationId: workspace.organizationId, permissions: openedAt(viewer, workspace) };
    },
    async workspacesWith(viewer, organizationId, permission) {
      if (!isUuid(organizationId)) return [];
      if (viewer.kind === 'staff') {
        const rights = await rightsByWorkspace(db, viewer.userId, { organizationId });
        return rights.filter(({ permissions }) => permissions.has(permission)).map(({ id }) => id);
      }
      if (viewer.kind !== 'legacy-client' || !viewer.permissions.includes(permission)) return [];
      const workspaces = await db.workspace.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
      return workspaces.filter((workspace) => openedAt(viewer, workspace).size > 0).map(({ id }) => id);
    },
  };
}

/** The permissions that an open route gives to the viewer in a workspace, or in the organization as a whole. */
const openedAt = (viewer: Viewer, { id, organizationId }: { id: Id | null; organizationId: Id }): ReadonlySet<string> =>
  opensAt(viewer, { organizationId, workspaceId: id }) ? new Set(openingOf(viewer)?.permissions) : nothing;

async function customGrants(db: IdentityDatabase, roleId: string, organizationId: Id): Promise<ReadonlySet<string>> {
  const granted = await db.rolePermission.findMany({
    where: { role: { id: roleId, organizationId, scope: 'organization', isSystem: false } },
  });
  const known = permissionsOf('organization');
  return new Set(granted.map(({ permission }) => permission).filter((permission) => known.has(permission)));
}
