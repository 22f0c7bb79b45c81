import type { TargetGroup } from '@foyer/prisma/client';
import { isUuid } from '@foyer/shared/ids';
import { requireStaff } from '@foyer/shared/auth/viewer';

import { holdsPermissionOver } from '../access/staff-scope.ts';
import type { Context } from '../context.ts';
import { targetGroupNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Finds a target group that the viewer may change. All campaigns of the organization share it, so that needs the right
 * to manage all workspaces.
 *
 * @throws {Refusal} `TARGET_GROUP_NOT_FOUND`, for whatever reason
 */
export async function findManagedTargetGroup(needs: Needs, id: string): Promise<TargetGroup> {
  requireStaff(needs.viewer);
  const found = isUuid(id) ? await needs.db.targetGroup.findUnique({ where: { id } }) : null;
  if (!found || !(await mayManage(needs, found))) throw targetGroupNotFound();
  return found;
}

const mayManage = (needs: Needs, { organizationId }: TargetGroup): Promise<boolean> =>
  holdsPermissionOver(needs, 'campaign:manage', { organizationId, workspaceId: null });
