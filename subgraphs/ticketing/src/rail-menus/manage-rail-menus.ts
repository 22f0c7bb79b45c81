import type { RailMenu } from '@foyer/prisma/client';
import { badInput } from '@foyer/shared/errors';
import { serialId, type GivenId } from '@foyer/shared/ids';
import { permitInWorkspace } from '@foyer/shared/auth/permissions';
import { requireStaff } from '@foyer/shared/auth/viewer';
import { isUniqueViolation } from '@foyer/shared/database-errors';

import type { Context } from '../context.ts';
import { forbiddenUnlessUuid } from '../access/staff-scope.ts';
import { mayCatalogue } from '../ticket-groups/find-managed-ticket-group.ts';
import { drawUpRailMenu } from './rail-menu.ts';
import { railCodeTaken, railMenuNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

const PERMISSION = 'catalogue:manage';
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

/**
 * Creates a rail menu of a workspace.
 *
 * @throws {Refusal} `FORBIDDEN`, `VALIDATION_FAILED`, `RAIL_CODE_TAKEN`
 */
export async function createRailMenu(
  needs: Needs,
  { workspaceId, input }: { workspaceId: GivenId; input: unknown },
): Promise<RailMenu> {
  const owner = await permitInWorkspace(needs, forbiddenUnlessUuid(workspaceId), PERMISSION);
  return needs.db.railMenu.create({ data: { ...drawUpRailMenu(input), ...owner } }).catch(throwRefusal);
}

/**
 * Replaces a rail menu; its items stay.
 *
 * @throws {Refusal} `RAIL_MENU_NOT_FOUND`, `VALIDATION_FAILED`, `RAIL_CODE_TAKEN`
 */
export async function updateRailMenu(
  needs: Needs,
  { railMenuId: id, input }: { railMenuId: string; input: unknown },
): Promise<RailMenu> {
  const { railMenuId } = await findCatalogueRail(needs, id);
  const data = drawUpRailMenu(input);
  const [updated] = await needs.db.railMenu.updateManyAndReturn({ where: { railMenuId }, data }).catch(throwRefusal);
  if (!updated) throw railMenuNotFound(); // somebody has just deleted it
  return updated;
}

/**
 * Deletes a rail menu, but none of its items.
 *
 * @throws {Refusal} `RAIL_MENU_NOT_FOUND`
 */
export async function deleteRailMenu(needs: Needs, id: string): Promise<string> {
  const { railMenuId } = await findCatalogueRail(needs, id);
  const { count } = await needs.db.railMenu.deleteMany({ where: { railMenuId } });
  if (count === 0) throw railMenuNotFound();
  return String(railMenuId);
}

/**
 * Sorts the rail menus of a workspace. Repeating it changes nothing.
 *
 * @throws {Refusal} `FORBIDDEN`; `VALIDATION_FAILED` unless each of its rails is named once
 */
export async function sortRailMenus(
  needs: Needs,
  { workspaceId, railMenuIds }: { workspaceId: GivenId; railMenuIds: readonly string[] },
): Promise<RailMenu[]> {
  const of = await permitInWorkspace(needs, forbiddenUnlessUuid(workspaceId), PERMISSION);
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

/**
 * Finds a rail menu whose ticket groups the viewer may arrange.
 *
 * @throws {Refusal} `RAIL_MENU_NOT_FOUND`, for whatever reason
 */
export async function findCatalogueRail(needs: Needs, id: string): Promise<RailMenu> {
  requireStaff(needs.viewer);
  const found = await needs.db.railMenu.findUnique({ where: { railMenuId: serialId(id) ?? -1n } });
  if (!found || !(await mayCatalogue(needs, found, PERMISSION))) throw railMenuNotFound();
  return found;
}

function throwRefusal(error: unknown): never {
  throw isUniqueViolation(error) ? railCodeTaken() : error;
}
