import type { Prisma } from '@foyer/prisma/client';
import type { GivenId, Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { seededRoles } from '../permissions/catalog.ts';
import { permitReading, type ReadingNeeds } from '../tenancy/permit-reading.ts';
import { readConnection, uuidAfter, type PageArguments } from '@foyer/shared/pagination';
import type { Role } from './role.ts';

type Needs = ReadingNeeds & Pick<Context, 'db'>;

interface OfOrganization {
  organizationId?: GivenId | null | undefined;
}

/**
 * The roles that an organization may assign: all but those of the platform. The roles of the system belong to no
 * organization, and are found by the index of the organizations.
 */
const rolesFor = (organizationId: Id) =>
  ({
    scope: { not: 'platform' },
    OR: [{ organizationId }, { organizationId: null }],
  }) satisfies Prisma.RoleWhereInput;

/** Lists the roles that an organization may assign, page by page. */
export async function listRoles(needs: Needs, { organizationId: given, ...args }: PageArguments & OfOrganization) {
  const { organizationId } = await permitReading(needs, given);
  const where = rolesFor(organizationId);
  return readConnection<Role>(args, {
    find: ({ after, ...range }) =>
      needs.db.role.findMany({
        where: { ...where, id: roleAfter(after) },
        include: { permissions: true },
        orderBy: { id: 'asc' },
        ...range,
      }),
    count: () => needs.db.role.count({ where }),
    keyOf: ({ id }) => id,
  });
}

/** Those of the system have names for ids, custom roles UUIDs. */
function roleAfter(cursor: string | undefined): { gt?: string } {
  return cursor !== undefined && seededRoles.has(cursor) ? { gt: cursor } : uuidAfter(cursor);
}

/** All of them at once. */
export async function readRolesMatrix(needs: Needs, { organizationId: given }: OfOrganization): Promise<Role[]> {
  const { organizationId } = await permitReading(needs, given);
  return needs.db.role.findMany({
    where: rolesFor(organizationId),
    include: { permissions: true },
    orderBy: [{ scope: 'asc' }, { isSystem: 'desc' }, { rank: 'desc' }, { name: 'asc' }],
  });
}
