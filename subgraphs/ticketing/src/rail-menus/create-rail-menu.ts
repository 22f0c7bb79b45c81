import type { RailMenu } from '@foyer/prisma/client';
import type { GivenId } from '@foyer/shared/ids';
import { permitInWorkspace } from '@foyer/shared/auth/permissions';

import { forbiddenUnlessUuid } from '../access/staff-scope.ts';
import type { Context } from '../context.ts';
import { drawUpRailMenu, throwRefusal } from './rail-menu.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Creates a rail menu of a workspace.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `RAIL_CODE_TAKEN`
 */
export async function createRailMenu(
  needs: Needs,
  { workspaceId, input }: { workspaceId: GivenId; input: unknown },
): Promise<RailMenu> {
  const owner = await permitInWorkspace(needs, forbiddenUnlessUuid(workspaceId), 'catalogue:manage');
  return needs.db.railMenu.create({ data: { ...drawUpRailMenu(input), ...owner } }).catch(throwRefusal);
}
