import type { TicketGroup, TicketVariant } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { mayCatalogue } from './find-managed-ticket-group.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** Lists the variants of a group in order: those on sale, or all for staff who may see the catalogue. */
export async function variantsOf(needs: Needs, group: TicketGroup, all: boolean): Promise<TicketVariant[]> {
  const variants = await needs.loaders.variants.load(group.ticketGroupId);
  if (all && (await mayCatalogue(needs, group, 'catalogue:view'))) return variants;
  return variants.filter(({ isActive }) => isActive);
}
