import type { TargetGroup } from '@foyer/prisma/client';
import type { GivenId } from '@foyer/shared/ids';
import { requireStaff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { visibleTo } from '../access/staff-scope.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

const MOST = 500; // a campaign's form offers all of them at once

/**
 * Lists the target groups of an organization by name, for viewers who see campaigns in one of its workspaces.
 *
 * @throws {Refusal} `FORBIDDEN`
 */
export async function listTargetGroups(needs: Needs, given: GivenId): Promise<TargetGroup[]> {
  requireStaff(needs.viewer);
  const { organizationId } = await visibleTo(needs, 'campaign:view', given);
  return needs.db.targetGroup.findMany({ where: { organizationId }, orderBy: { name: 'asc' }, take: MOST });
}
