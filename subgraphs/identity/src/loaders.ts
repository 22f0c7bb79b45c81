import type { IdentityDatabase } from '@foyer/prisma/identity';
import { isUuid, type Id } from '@foyer/shared/ids';
import DataLoader from 'dataloader';

/** Creates the loaders of a request, which batch its lookups. */
export function createLoaders(db: IdentityDatabase) {
  return {
    authUsers: byId((ids) => db.authUser.findMany({ where: { id: { in: ids } } })),
    users: byId((ids) => db.user.findMany({ where: { id: { in: ids } } })),
    authOrganizations: byId((ids) => db.authOrganization.findMany({ where: { id: { in: ids } } })),
    organizations: byId((ids) => db.organization.findMany({ where: { id: { in: ids } } })),
    workspaces: byId((ids) => db.workspace.findMany({ where: { id: { in: ids } } })),
    /** The organizations where a person is a member or has access to a workspace. */
    organizationsOf: new DataLoader<Id, ReadonlySet<Id>>(async (ids) => {
      const wanted = ids.filter(isUuid);
      const found = await db.$queryRaw<{ userId: Id; organizationId: Id }[]>`
        SELECT m.user_id AS "userId", m.organization_id AS "organizationId"
        FROM tenancy.organization_members m WHERE m.user_id = ANY (${wanted}::uuid[])
        UNION
        SELECT d.user_id, w.organization_id
        FROM tenancy.workspace_members d JOIN tenancy.workspaces w ON w.id = d.workspace_id
        WHERE d.user_id = ANY (${wanted}::uuid[])`;
      const circles = Map.groupBy(found, ({ userId }) => userId);
      return ids.map((id) => new Set((circles.get(id) ?? []).map((row) => row.organizationId)));
    }),
    appsOfOrganization: new DataLoader(async (ids: readonly Id[]) => {
      const where = { organizationId: { in: [...ids] } };
      const found = await db.organizationApp.findMany({ where, include: { app: true }, orderBy: { appId: 'asc' } });
      const apps = Map.groupBy(found, ({ organizationId }): Id => organizationId);
      return ids.map((id) => (apps.get(id) ?? []).map(({ app }) => app));
    }),
    appsOfWorkspace: new DataLoader(async (ids: readonly Id[]) => {
      const where = { workspaceId: { in: [...ids] } };
      const found = await db.workspaceApp.findMany({ where, include: { app: true }, orderBy: { appId: 'asc' } });
      const apps = Map.groupBy(found, ({ workspaceId }): Id => workspaceId);
      return ids.map((id) => (apps.get(id) ?? []).map(({ app }) => app));
    }),
    grantsOfTeam: new DataLoader(async (ids: readonly Id[]) => {
      const found = await db.teamWorkspaceRole.findMany({ where: { teamId: { in: [...ids] } } });
      const grants = Map.groupBy(found, ({ teamId }): Id => teamId);
      return ids.map((id) => grants.get(id) ?? []);
    }),
    workspacesOf: new DataLoader(async (organizationIds: readonly Id[]) => {
      const where = { organizationId: { in: organizationIds.filter(isUuid) } };
      const found = Map.groupBy(
        await db.workspace.findMany({ where, orderBy: [{ name: 'asc' }, { id: 'asc' }] }),
        ({ organizationId }): Id => organizationId,
      );
      return organizationIds.map((id) => found.get(id) ?? []);
    }),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;

function byId<Row extends { id: Id }>(find: (ids: Id[]) => PromiseLike<Row[]>) {
  return new DataLoader<Id, Row | null>(async (ids) => {
    const found = new Map<Id, Row>((await find(ids.filter(isUuid))).map((row) => [row.id, row]));
    return ids.map((id) => found.get(id) ?? null);
  });
}
