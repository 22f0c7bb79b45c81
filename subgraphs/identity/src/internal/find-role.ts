import { requireService } from '@foyer/shared/viewer';

import type { Context } from '../context.ts';
import { findRoleOfUser, type RoleOfUser } from '../permissions/find-role-of-user.ts';

/** The role of a person, for the other service: the one that their next token carries. */
export async function findRole(
  { viewer, db }: Pick<Context, 'viewer' | 'db'>,
  asked: Parameters<typeof findRoleOfUser>[1],
): Promise<RoleOfUser | null> {
  requireService(viewer);
  return findRoleOfUser(db, asked);
}
