import type { TargetGroup } from '@foyer/prisma/client';
import type { GivenId } from '@foyer/shared/ids';
import { requireStaff } from '@foyer/shared/auth/viewer';

import { permitOver } from '../access/staff-scope.ts';
import type { Context } from '../context.ts';
import { drawUpTargetGroup, throwRefusal } from './target-group.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Creates a target group. All campaigns of the organization share it, so it needs the right to manage all workspaces.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `TARGET_GROUP_EXISTS`
 */
export async function createTargetGroup(
  needs: Needs,
  { organizationId: given, input }: { organizationId: GivenId; input: unknown },
): Promise<TargetGroup> {
  requireStaff(needs.viewer);
  const { organizationId } = await permitOver(needs, 'campaign:manage', { organizationId: given, workspaceId: null });
  const data = { organizationId, ...drawUpTargetGroup(input) };
  return needs.db.targetGroup.create({ data }).catch(throwRefusal);
}
