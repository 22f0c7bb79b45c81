import type { Context } from '../context.ts';
import { withImage } from '../images/with-image.ts';
import { drawUpAdvertisingTicket } from './advertising-ticket.ts';
import { findManagedAdvertisingTicket } from './find-managed-advertising-ticket.ts';
import { advertisingTicketNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions' | 'mediaDirectory'>;

/**
 * Replaces the content of an advertising ticket. Its color, its placement and whether it is shown stay when missing; so does
 * its image in the media library, unless it gets another `imageUrl`.
 *
 * @throws {Refusal} `ADVERTISING_TICKET_NOT_FOUND`, `VALIDATION_FAILED`, `MEDIA_NOT_FOUND`
 */
export async function updateAdvertisingTicket(
  needs: Needs,
  { advertisingTicketId: id, input }: { advertisingTicketId: string; input: unknown },
) {
  const before = await findManagedAdvertisingTicket(needs, id);
  const { advertisingTicketId } = before;
  const data = await withImage(needs, drawUpAdvertisingTicket(input, before), before);
  const [updated] = await needs.db.advertisingTicket.updateManyAndReturn({ where: { advertisingTicketId }, data });
  if (!updated) throw advertisingTicketNotFound(); // somebody has just deleted it
  return updated;
}
