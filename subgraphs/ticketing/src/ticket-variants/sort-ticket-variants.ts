import type { TicketVariant } from '@foyer/prisma/client';
import { badInput } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { findManagedTicketGroup } from '../ticket-groups/find-managed-ticket-group.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Sorts the variants of a group. Repeating it changes nothing.
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`; `VALIDATION_FAILED` unless each of its variants is named once
 */
export async function sortTicketVariants(
  needs: Needs,
  { ticketGroupId: id, ticketVariantIds }: { ticketGroupId: string; ticketVariantIds: readonly string[] },
): Promise<TicketVariant[]> {
  const { ticketGroupId } = await findManagedTicketGroup(needs, id);
  return needs.db.$transaction(async (tx) => {
    const there = await tx.ticketVariant.findMany({ where: { ticketGroupId }, orderBy: { ticketVariantId: 'asc' } });
    const byId = new Map(there.map((variant) => [String(variant.ticketVariantId), variant]));
    const sorted = [...new Set(ticketVariantIds)].flatMap((one) => byId.get(one) ?? []);
    if (sorted.length !== there.length || ticketVariantIds.length !== there.length) {
      throw badInput([{ path: 'ticketVariantIds', message: 'must name each variant of the group once' }]);
    }
    // Always in the order of their ids, so that two who sort at once don't wait for each other crosswise.
    for (const variant of there) {
      const { ticketVariantId } = variant;
      await tx.ticketVariant.update({ where: { ticketVariantId }, data: { sort: sorted.indexOf(variant) } });
    }
    return sorted.map((variant, sort) => ({ ...variant, sort }));
  });
}
