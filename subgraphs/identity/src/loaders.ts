import type { IdentityDatabase } from '@foyer/prisma/identity';
import DataLoader from 'dataloader';

const guid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Loads rows by id, those of one request together. */
export function createLoaders(db: IdentityDatabase) {
  return {
    users: byId((ids) => db.user.findMany({ where: { id: { in: ids } } })),
    organizations: byId((ids) => db.organization.findMany({ where: { id: { in: ids } } })),
    workspaces: byId((ids) => db.workspace.findMany({ where: { id: { in: ids } } })),
    workspacesOf: new DataLoader(async (organizationIds: readonly string[]) => {
      const where = { organizationId: { in: organizationIds.filter((id) => guid.test(id)) } };
      const found = Map.groupBy(
        await db.workspace.findMany({ where, orderBy: [{ name: 'asc' }, { id: 'asc' }] }),
        ({ organizationId }) => organizationId,
      );
      return organizationIds.map((id) => found.get(id.toLowerCase()) ?? []);
    }),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;

/** What isn't a uuid is nobody's id, and no reason to trouble the database. */
function byId<Row extends { id: string }>(find: (ids: string[]) => PromiseLike<Row[]>) {
  return new DataLoader<string, Row | null>(async (ids) => {
    const found = new Map((await find(ids.filter((id) => guid.test(id)))).map((row) => [row.id, row]));
    return ids.map((id) => found.get(id.toLowerCase()) ?? null);
  });
}
