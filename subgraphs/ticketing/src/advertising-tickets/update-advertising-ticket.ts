import type { Context } from '../context.ts';
import { drawUpAdvertisingTicket } from './advertising-ticket.ts';
import { findManagedAdvertisingTicket } from './find-managed.ts';
import { advertisingTicketNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Replaces what an advertising ticket says.
 *
 * @throws {Refusal} `ADVERTISING_TICKET_NOT_FOUND`, `VALIDATION_FAILED`
 */
export async function updateAdvertisingTicket(
  needs: Needs,
  { advertisingTicketId: id, input }: { advertisingTicketId: string; input: unknown },
) {
  const { advertisingTicketId } = await findManagedAdvertisingTicket(needs, id);
  const data = drawUpAdvertisingTicket(input);
  const [updated] = await needs.db.advertisingTicket.updateManyAndReturn({ where: { advertisingTicketId }, data });
  if (!updated) throw advertisingTicketNotFound(); // someone has just removed it
  return updated;
}
