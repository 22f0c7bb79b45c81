import type { Context } from '../context.ts';
import { findManagedRailMenu } from './find-managed-rail-menu.ts';
import { railMenuNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Deletes a rail menu, but none of its items.
 *
 * @throws {Refusal} `RAIL_MENU_NOT_FOUND`
 */
export async function deleteRailMenu(needs: Needs, id: string): Promise<string> {
  const { railMenuId } = await findManagedRailMenu(needs, id);
  const { count } = await needs.db.railMenu.deleteMany({ where: { railMenuId } });
  if (count === 0) throw railMenuNotFound();
  return String(railMenuId);
}
