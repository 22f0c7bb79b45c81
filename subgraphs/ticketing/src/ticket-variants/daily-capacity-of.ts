import type { TicketVariant } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { mayCatalogue } from '../ticket-groups/find-managed-ticket-group.ts';

type Needs = Pick<Context, 'viewer' | 'permissions' | 'loaders'>;

/** Returns the own limit of a variant to staff who may see the catalogue, and null to everybody else. */
export async function dailyCapacityOf(
  needs: Needs,
  { ticketGroupId, dailyCapacity }: Pick<TicketVariant, 'ticketGroupId' | 'dailyCapacity'>,
): Promise<number | null> {
  if (dailyCapacity === null || needs.viewer?.kind !== 'staff') return null;
  const group = await needs.loaders.ticketGroup.load(ticketGroupId);
  return (await mayCatalogue(needs, group, 'catalogue:view')) ? dailyCapacity : null;
}
