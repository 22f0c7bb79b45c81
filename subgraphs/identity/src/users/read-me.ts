import { requireStaff, unauthenticated } from '@foyer/shared/viewer';

import type { Context } from '../context.ts';
import { rightsByWorkspace } from '../permissions/workspace-rights.ts';
import { personOf, type Person } from './person.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions' | 'loaders'>;

/** The answer to "who am I, and what may I do?". */
export interface Me {
  user: Person;
  platformRole: string | null;
  platformPermissions: string[];
  organization: MyOrganization;
}

export interface MyOrganization {
  id: string;
  name: string;
  slug: string;
  role: string;
  permissions: string[];
  workspaces: MyWorkspace[];
}

export interface MyWorkspace {
  id: string;
  name: string;
  role: string;
  permissions: string[];
}

/** The viewer, with what enforcement would let them do: both ask the same functions. */
export async function readMe({ viewer, db, permissions, loaders }: Needs): Promise<Me> {
  const staff = requireStaff(viewer);
  const [user, organization, platform, onPlatform, inOrganization, workspaces] = await Promise.all([
    loaders.users.load(staff.userId),
    loaders.organizations.load(staff.organizationId),
    db.platformMember.findUnique({ where: { userId: staff.userId } }),
    permissions.onPlatform(staff),
    permissions.inOrganization(staff, staff.organizationId),
    rightsByWorkspace(db, staff.userId, { organizationId: staff.organizationId }),
  ]);
  // The token is good, but who it speaks of has been deleted.
  if (!user || !organization) throw unauthenticated();

  return {
    user: personOf(user),
    platformRole: platform?.roleId ?? null,
    platformPermissions: [...onPlatform],
    organization: {
      id: organization.id,
      name: organization.name,
      slug: staff.organizationSlug,
      role: staff.role,
      permissions: [...inOrganization],
      workspaces: workspaces
        .filter(({ role }) => role !== null)
        .map(({ id, name, role, permissions }) => ({ id, name, role: role ?? '', permissions: [...permissions] })),
    },
  };
}
