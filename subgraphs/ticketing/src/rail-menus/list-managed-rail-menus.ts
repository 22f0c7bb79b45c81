import type { RailMenu } from '@foyer/prisma/client';
import type { GivenId } from '@foyer/shared/ids';
import { permitInWorkspace } from '@foyer/shared/auth/permissions';

import { forbiddenUnlessUuid } from '../access/staff-scope.ts';
import type { Context } from '../context.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

const byPlacement = [{ placement: 'asc' }, { railMenuId: 'asc' }] as const;
const MOST = 500;

/**
 * Lists the rail menus of a workspace, shown or not, by placement.
 *
 * @throws {Refusal} `FORBIDDEN`
 */
export async function listManagedRailMenus(needs: Needs, workspaceId: GivenId): Promise<RailMenu[]> {
  const of = await permitInWorkspace(needs, forbiddenUnlessUuid(workspaceId), 'catalogue:view');
  return needs.db.railMenu.findMany({ where: of, orderBy: [...byPlacement], take: MOST });
}
