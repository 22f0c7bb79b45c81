import type { TicketGroup } from '@foyer/prisma/client';
import { serialId } from '@foyer/shared/ids';
import { requireStaff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { ticketGroupNotFound } from '../catalogue/refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;
export type CataloguePermission = 'catalogue:view' | 'catalogue:manage';

/**
 * Finds a ticket group that the viewer may manage, or see as staff.
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`, for whatever reason
 */
export async function findManagedTicketGroup(
  needs: Needs,
  ticketGroupId: string,
  permission: CataloguePermission = 'catalogue:manage',
): Promise<TicketGroup> {
  requireStaff(needs.viewer);
  const found = await needs.db.ticketGroup.findUnique({ where: { ticketGroupId: serialId(ticketGroupId) ?? -1n } });
  if (!found || !(await mayCatalogue(needs, found, permission))) throw ticketGroupNotFound();
  return found;
}

/** Whether the viewer holds a permission over the catalogue of a row's workspace. */
export async function mayCatalogue(
  { viewer, permissions }: Pick<Needs, 'viewer' | 'permissions'>,
  { organizationId, workspaceId }: Pick<TicketGroup, 'organizationId' | 'workspaceId'>,
  permission: CataloguePermission,
): Promise<boolean> {
  if (viewer?.kind !== 'staff') return false;
  const rights = await permissions.inWorkspace(viewer, workspaceId);
  return rights?.organizationId === organizationId && rights.permissions.has(permission);
}
