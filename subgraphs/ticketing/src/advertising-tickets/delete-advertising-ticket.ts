import type { Context } from '../context.ts';
import { findManagedAdvertisingTicket } from './find-managed-advertising-ticket.ts';
import { advertisingTicketNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

/**
 * Deletes an advertising ticket and its places in rail menus.
 *
 * @throws {Refusal} `ADVERTISING_TICKET_NOT_FOUND`
 */
export async function deleteAdvertisingTicket(needs: Needs, id: string): Promise<string> {
  const { advertisingTicketId } = await findManagedAdvertisingTicket(needs, id);
  const { count } = await needs.db.advertisingTicket.deleteMany({ where: { advertisingTicketId } });
  if (count === 0) throw advertisingTicketNotFound();
  return String(advertisingTicketId);
}
