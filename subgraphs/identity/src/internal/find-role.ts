import { requireService } from '@foyer/shared/auth/viewer';
import { unproven, type GivenId, type Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { findRoleOfUser, type RoleOfUser } from '../permissions/find-role-of-user.ts';

/** The role of a person, for the other service: the role in their next token. */
export async function findRole(
  { viewer, db }: Pick<Context, 'viewer' | 'db'>,
  { userId, organizationId }: { userId: Id; organizationId?: GivenId | null | undefined },
): Promise<RoleOfUser | null> {
  requireService(viewer);
  return findRoleOfUser(db, { userId, organizationId: unproven(organizationId) });
}
