import type { Context } from '../context.ts';
import { findManagedAdvertisingTicket, findManagedRailMenu } from './find-managed.ts';
import { assignmentNotFound } from './refusals.ts';

type Needs = Pick<Context, 'viewer' | 'db' | 'permissions'>;

interface Pair {
  railMenuId: string;
  advertisingTicketId: string;
}

/**
 * Puts an advertising ticket into a rail; once it is there, nothing changes.
 *
 * @throws {Refusal} `ADVERTISING_TICKET_NOT_FOUND`, `RAIL_MENU_NOT_FOUND`
 */
export async function assignToRailMenu(needs: Needs, pair: Pair) {
  const { ticket, link } = await bothOf(needs, pair);
  await needs.db.railMenuAdvertisingTicket.createMany({ data: [link], skipDuplicates: true });
  return ticket;
}

/**
 * Takes an advertising ticket out of a rail.
 *
 * @throws {Refusal} `ADVERTISING_TICKET_NOT_FOUND`, `RAIL_MENU_NOT_FOUND`, `ASSIGNMENT_NOT_FOUND`
 */
export async function unassignFromRailMenu(needs: Needs, pair: Pair) {
  const { ticket, link } = await bothOf(needs, pair);
  const { count } = await needs.db.railMenuAdvertisingTicket.deleteMany({ where: link });
  if (count === 0) throw assignmentNotFound();
  return ticket;
}

async function bothOf(needs: Needs, pair: Pair) {
  const ticket = await findManagedAdvertisingTicket(needs, pair.advertisingTicketId);
  const { railMenuId } = await findManagedRailMenu(needs, pair.railMenuId);
  return { ticket, link: { railMenuId, advertisingTicketId: ticket.advertisingTicketId } };
}
