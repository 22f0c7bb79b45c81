import type { TicketVariant } from '@foyer/prisma/client';
import { isReferenceViolation, isUniqueViolation } from '@foyer/shared/database-errors';

import type { Context } from '../context.ts';
import { findManagedTicketGroup } from '../ticket-groups/find-managed-ticket-group.ts';
import { ticketGroupNotFound } from '../catalogue/refusals.ts';
import { itemIdTaken } from './refusals.ts';
import { drawUpVariant, readItemId } from './ticket-variant.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Creates a ticket variant. Its item id never changes.
 *
 * @throws {Refusal} `TICKET_GROUP_NOT_FOUND`, `VALIDATION_FAILED`, `ITEM_ID_TAKEN`
 */
export async function createTicketVariant(
  needs: Needs,
  { ticketGroupId: id, itemId, input }: { ticketGroupId: string; itemId: string; input: unknown },
): Promise<TicketVariant> {
  const { ticketGroupId, organizationId } = await findManagedTicketGroup(needs, id);
  const data = { ...drawUpVariant(input), itemId: readItemId(itemId), ticketGroupId, organizationId };
  return needs.db.ticketVariant.create({ data }).catch((error: unknown) => {
    if (isReferenceViolation(error)) throw ticketGroupNotFound(); // somebody has just deleted it
    throw isUniqueViolation(error) ? itemIdTaken() : error;
  });
}
