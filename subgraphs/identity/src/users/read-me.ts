import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Id } from '@foyer/shared/ids';
import { requireStaff, unauthenticated, type Staff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { rightsByWorkspace } from '../permissions/workspace-rights.ts';
import { personOf, type Person } from '../tenancy/person.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/** The answer to "who am I, and what may I do?". */
export interface Me {
  user: Person;
  platformRole: string | null;
  platformPermissions: string[];
  organization: MyOrganization;
}

export interface MyOrganization {
  id: Id;
  name: string;
  slug: string;
  role: string;
  permissions: string[];
  workspaces: MyWorkspace[];
}

export interface MyWorkspace {
  id: Id;
  name: string;
  role: string;
  permissions: string[];
}

/**
 * Reads the viewer with their permissions, by the same functions as enforcement. Consoles request this all the time: it
 * takes three round trips to the database, whatever the number of workspaces.
 */
export async function readMe({ viewer, db, permissions }: Needs): Promise<Me> {
  const staff = requireStaff(viewer);
  const [found, onPlatform, inOrganization, workspaces] = await Promise.all([
    findViewer(db, staff),
    permissions.onPlatform(staff),
    permissions.inOrganization(staff, staff.organizationId),
    rightsByWorkspace(db, staff.userId, { organizationId: staff.organizationId }),
  ]);
  // The token is valid, but its user has been deleted.
  if (!found) throw unauthenticated();
  const { organizationName, platformRole, ...user } = found;

  return {
    user: personOf(user),
    platformRole,
    platformPermissions: [...onPlatform],
    organization: {
      id: staff.organizationId,
      name: organizationName,
      slug: staff.organizationSlug,
      role: staff.role,
      permissions: [...inOrganization],
      workspaces: workspaces
        .filter(({ role }) => role !== null)
        .map(({ id, name, role, permissions }) => ({ id, name, role: role ?? '', permissions: [...permissions] })),
    },
  };
}

type Found = Parameters<typeof personOf>[0] & { organizationName: string; platformRole: string | null };

async function findViewer(db: IdentityDatabase, { userId, organizationId }: Staff): Promise<Found | undefined> {
  const [found] = await db.$queryRaw<Found[]>`
    SELECT u.id, u.organization_id AS "organizationId", u.username, u.email, u.first_name AS "firstName",
           u.last_name AS "lastName", o.name AS "organizationName", p.role_id AS "platformRole"
    FROM tenancy.users u
    JOIN tenancy.organizations o ON o.id = ${organizationId}::uuid
    LEFT JOIN tenancy.platform_members p ON p.user_id = u.id
    WHERE u.id = ${userId}::uuid`;
  return found;
}
