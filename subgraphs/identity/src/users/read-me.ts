import type { Id } from '@foyer/shared/ids';
import { requireStaff, unauthenticated } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { grantsOnPlatform } from '../permissions/catalog.ts';
import { judgeWorkspace } from '../permissions/workspace-rights.ts';
import { personOf, type Person } from '../tenancy/person.ts';

type Needs = Pick<Context, 'viewer' | 'readViewer' | 'permissions'>;

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
 * takes one round trip to the database, whatever the number of workspaces, and viewers share it.
 */
export async function readMe({ viewer, readViewer, permissions }: Needs): Promise<Me> {
  const staff = requireStaff(viewer);
  const [found, inOrganization] = await Promise.all([
    readViewer(staff),
    permissions.inOrganization(staff, staff.organizationId),
  ]);
  // The token is valid, but its user has been deleted.
  if (!found) throw unauthenticated();
  const { organizationName, platformRole, workspaces, ...user } = found;

  return {
    user: personOf(user),
    platformRole,
    platformPermissions: [...grantsOnPlatform(platformRole)],
    organization: {
      id: staff.organizationId,
      name: organizationName,
      slug: staff.organizationSlug,
      role: staff.role,
      permissions: [...inOrganization],
      workspaces: workspaces
        .map(judgeWorkspace)
        .filter(({ role }) => role !== null)
        .map(({ id, name, role, permissions }) => ({ id, name, role: role ?? '', permissions: [...permissions] })),
    },
  };
}
