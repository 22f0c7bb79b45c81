import type { GivenId, Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { permitReading, type ReadingNeeds } from '../tenancy/permit-reading.ts';
import { readConnection, uuidAfter, type PageArguments } from '@foyer/shared/pagination';
import { roleNotFound } from './refusals.ts';

type Needs = ReadingNeeds & Pick<Context, 'db'>;

/** A person with a role, in the organization or in one of its workspaces. */
export interface RoleMember {
  userId: Id;
  workspaceId?: Id;
}

interface OfRole {
  organizationId?: GivenId | null | undefined;
  roleId: string;
}

/** Lists the people of an organization with a direct role; the roles of teams are listed with the teams. */
export async function listRoleMembers(
  needs: Needs,
  { organizationId: given, roleId, ...args }: PageArguments & OfRole,
) {
  const { organizationId } = await permitReading(needs, given);
  const { db } = needs;
  const role = await db.role.findFirst({
    where: { id: roleId, scope: { not: 'platform' }, OR: [{ organizationId }, { isSystem: true }] },
  });
  if (!role) throw roleNotFound();
  return role.scope === 'organization'
    ? inOrganization(db, organizationId, roleId, args)
    : inWorkspaces(needs, organizationId, roleId, args);
}

const inOrganization = (db: Needs['db'], organizationId: Id, roleId: string, args: PageArguments) =>
  readConnection<RoleMember>(args, {
    find: ({ after, ...range }) =>
      db.organizationMember.findMany({
        where: { organizationId, roleId, userId: uuidAfter(after) },
        select: { userId: true },
        orderBy: { userId: 'asc' },
        ...range,
      }),
    count: () => db.organizationMember.count({ where: { organizationId, roleId } }),
    keyOf: ({ userId }) => userId,
  });

async function inWorkspaces({ db, loaders }: Needs, organizationId: Id, role: string, args: PageArguments) {
  // By their ids, not by a join: so the rows come in the order of an index, and need no sort.
  const workspaces = (await loaders.workspacesOf.load(organizationId)).map(({ id }) => id);
  const where = { role, workspaceId: { in: workspaces } };
  return readConnection<RoleMember & { workspaceId: Id }>(args, {
    find({ after, ...range }) {
      const [workspaceId, userId] = after?.split(':') ?? [];
      const further = after !== undefined && {
        OR: [
          { workspaceId: uuidAfter(workspaceId) },
          { workspaceId: workspaceId ?? '', userId: uuidAfter(userId ?? '') },
        ],
      };
      return db.workspaceMember.findMany({
        where: { AND: [where, further || {}] },
        select: { workspaceId: true, userId: true },
        orderBy: [{ workspaceId: 'asc' }, { userId: 'asc' }],
        ...range,
      });
    },
    count: () => db.workspaceMember.count({ where }),
    keyOf: ({ workspaceId, userId }) => `${workspaceId}:${userId}`,
  });
}
