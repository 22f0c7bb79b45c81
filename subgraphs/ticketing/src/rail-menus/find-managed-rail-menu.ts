import type { RailMenu } from '@foyer/prisma/client';
import { serialId } from '@foyer/shared/ids';
import { requireStaff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { mayCatalogue } from '../ticket-groups/find-managed-ticket-group.ts';
import { railMenuNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Finds a rail menu whose ticket groups the viewer may arrange.
 *
 * @throws {Refusal} `RAIL_MENU_NOT_FOUND`, for whatever reason
 */
export async function findManagedRailMenu(needs: Needs, id: string): Promise<RailMenu> {
  requireStaff(needs.viewer);
  const found = await needs.db.railMenu.findUnique({ where: { railMenuId: serialId(id) ?? -1n } });
  if (!found || !(await mayCatalogue(needs, found, 'catalogue:manage'))) throw railMenuNotFound();
  return found;
}
