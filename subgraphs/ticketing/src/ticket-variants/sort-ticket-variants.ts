import type { TicketVariant } from '@foyer/prisma/client';
import { badInput } from '@foyer/shared/errors';

import type { Context } from '../context.ts';
import { findManagedTicketGroup } from '../ticket-groups/find-managed-ticket-group.ts';
import { dateColumn, dayOf } from '../units/calendar.ts';
import { lockDays } from './lock-days.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'clock' | 'permissions'>;

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
  const today = dateColumn(dayOf(needs.clock.now()));
  return needs.db.$transaction(async (tx) => {
    await lockDays(tx, ticketGroupId, today);
    const there = await tx.ticketVariant.findMany({ where: { ticketGroupId } });
    const byId = new Map(there.map((variant) => [String(variant.ticketVariantId), variant]));
    const sorted = [...new Set(ticketVariantIds)].flatMap((one) => byId.get(one) ?? []);
    if (sorted.length !== there.length || ticketVariantIds.length !== there.length) {
      throw badInput([{ path: 'ticketVariantIds', message: 'must name each variant of the group once' }]);
    }
    for (const [sort, { ticketVariantId }] of sorted.entries()) {
      await tx.ticketVariant.update({ where: { ticketVariantId }, data: { sort } });
    }
    return sorted.map((variant, sort) => ({ ...variant, sort }));
  });
}
