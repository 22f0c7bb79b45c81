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
    /** The organizations that a person is a member of, or works in a workspace of. */
    circleOf: new DataLoader<string, ReadonlySet<string>>(async (ids) => {
      const wanted = ids.filter(isGuid);
      const found = await db.$queryRaw<{ userId: string; organizationId: string }[]>`
        SELECT m.user_id AS "userId", m.organization_id AS "organizationId"
        FROM tenancy.organization_members m WHERE m.user_id = ANY (${wanted}::uuid[])
        UNION
        SELECT d.user_id, w.organization_id
        FROM tenancy.workspace_members d JOIN tenancy.workspaces w ON w.id = d.workspace_id
        WHERE d.user_id = ANY (${wanted}::uuid[])`;
      const circles = Map.groupBy(found, ({ userId }) => userId);
      return ids.map((id) => new Set((circles.get(id.toLowerCase()) ?? []).map((row) => row.organizationId)));
    }),
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
