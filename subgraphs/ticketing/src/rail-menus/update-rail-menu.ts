import type { RailMenu } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { findManagedRailMenu } from './find-managed-rail-menu.ts';
import { drawUpRailMenu, throwRefusal } from './rail-menu.ts';
import { railMenuNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Replaces a rail menu; its items stay.
 *
 * @throws {Refusal} `RAIL_MENU_NOT_FOUND`, `VALIDATION_FAILED`, `RAIL_CODE_TAKEN`
 */
export async function updateRailMenu(
  needs: Needs,
  { railMenuId: id, input }: { railMenuId: string; input: unknown },
): Promise<RailMenu> {
  const { railMenuId } = await findManagedRailMenu(needs, id);
  const data = drawUpRailMenu(input);
  const [updated] = await needs.db.railMenu.updateManyAndReturn({ where: { railMenuId }, data }).catch(throwRefusal);
  if (!updated) throw railMenuNotFound(); // somebody has just deleted it
  return updated;
}
