import type { IdentityDatabase } from '@foyer/prisma/identity';
import DataLoader from 'dataloader';

import { isGuid } from './guid.ts';

/** Loads rows by id, those of one request together. */
export function createLoaders(db: IdentityDatabase) {
  return {
    authUsers: byId((ids) => db.authUser.findMany({ where: { id: { in: ids } } })),
    users: byId((ids) => db.user.findMany({ where: { id: { in: ids } } })),
    organizations: byId((ids) => db.organization.findMany({ where: { id: { in: ids } } })),
    workspaces: byId((ids) => db.workspace.findMany({ where: { id: { in: ids } } })),
    appsOfOrganization: new DataLoader(async (ids: readonly string[]) => {
      const where = { organizationId: { in: [...ids] } };
      const found = await db.organizationApp.findMany({ where, include: { app: true }, orderBy: { appId: 'asc' } });
      const apps = Map.groupBy(found, ({ organizationId }) => organizationId);
      return ids.map((id) => (apps.get(id) ?? []).map(({ app }) => app));
    }),
    appsOfWorkspace: new DataLoader(async (ids: readonly string[]) => {
      const where = { workspaceId: { in: [...ids] } };
      const found = await db.workspaceApp.findMany({ where, include: { app: true }, orderBy: { appId: 'asc' } });
      const apps = Map.groupBy(found, ({ workspaceId }) => workspaceId);
      return ids.map((id) => (apps.get(id) ?? []).map(({ app }) => app));
    }),
    grantsOfTeam: new DataLoader(async (ids: readonly string[]) => {
      const found = await db.teamWorkspaceRole.findMany({ where: { teamId: { in: [...ids] } } });
      const grants = Map.groupBy(found, ({ teamId }) => teamId);
      return ids.map((id) => grants.get(id) ?? []);
    }),
    workspacesOf: new DataLoader(async (organizationIds: readonly string[]) => {
      const where = { organizationId: { in: organizationIds.filter(isGuid) } };
      const found = Map.groupBy(
        await db.workspace.findMany({ where, orderBy: [{ name: 'asc' }, { id: 'asc' }] }),
        ({ organizationId }) => organizationId,
      );
      return organizationIds.map((id) => found.get(id.toLowerCase()) ?? []);
    }),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;

function byId<Row extends { id: string }>(find: (ids: string[]) => PromiseLike<Row[]>) {
  return new DataLoader<string, Row | null>(async (ids) => {
    const found = new Map((await find(ids.filter(isGuid))).map((row) => [row.id, row]));
    return ids.map((id) => found.get(id.toLowerCase()) ?? null);
  });
}
