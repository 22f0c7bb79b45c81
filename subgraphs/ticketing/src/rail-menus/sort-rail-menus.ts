import type { RailMenu } from '@foyer/prisma/client';
import { badInput } from '@foyer/shared/errors';
import type { GivenId } from '@foyer/shared/ids';
import { permitInWorkspace } from '@foyer/shared/auth/permissions';

import { forbiddenUnlessUuid } from '../access/staff-scope.ts';
import type { Context } from '../context.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Sorts the rail menus of a workspace. Repeating it changes nothing.
 *
 * @throws {Refusal} `FORBIDDEN`; `VALIDATION_FAILED` unless each of its rails is named once
 */
export async function sortRailMenus(
  needs: Needs,
  { workspaceId, railMenuIds }: { workspaceId: GivenId; railMenuIds: readonly string[] },
): Promise<RailMenu[]> {
  const of = await permitInWorkspace(needs, forbiddenUnlessUuid(workspaceId), 'catalogue:manage');
  return needs.db.$transaction(async (tx) => {
    const there = await tx.railMenu.findMany({ where: of, orderBy: { railMenuId: 'asc' } });
    const byId = new Map(there.map((rail) => [String(rail.railMenuId), rail]));
    const sorted = [...new Set(railMenuIds)].flatMap((one) => byId.get(one) ?? []);
    if (sorted.length !== there.length || railMenuIds.length !== there.length) {
      throw notEachOnce();
    }
    const placementOf = (rail: RailMenu) => (sorted.indexOf(rail) + 1) * 10;
    // Always in the order of their ids, so that two who sort at once don't wait for each other crosswise.
    for (const rail of there) {
      const { railMenuId } = rail;
      const { count } = await tx.railMenu.updateMany({ where: { railMenuId }, data: { placement: placementOf(rail) } });
      if (count === 0) throw notEachOnce(); // somebody has just deleted it
    }
    return sorted.map((rail) => ({ ...rail, placement: placementOf(rail) }));
  });
}

const notEachOnce = () =>
  badInput([{ path: 'railMenuIds', message: 'must name each rail menu of the workspace once' }]);
