import type { PlacedItem, Placement } from '../capacity/reservations.ts';
import type { Services } from '../context.ts';
import { dateColumn } from '../units/calendar.ts';
import { lineCode, signTickets } from './sign-tickets.ts';

interface Needs extends Pick<Services, 'ticketSigner'> {
  lineIds(count: number): Promise<bigint[]>;
  ticketIds(count: number): Promise<bigint[]>;
}

/**
 * Draws up the tickets of orders that are not written yet, one per admission, so that the statement that writes the orders
 * writes them, too. Their ids are taken from the sequences; those of an order that is then refused stay unused.
 */
export async function issueInAdvance(needs: Needs, placements: readonly Placement[]): Promise<Placement[]> {
  const lines = placements.reduce((sum, { items }) => sum + items.length, 0);
  const tickets = placements.reduce((sum, { quantity }) => sum + quantity, 0);
  const ids = { lines: await needs.lineIds(lines), tickets: await needs.ticketIds(tickets) };
  return placements.map((placement) => ({
    ...placement,
    items: placement.items.map((item) => ({ ...item, issued: drawUp(needs, placement, item, ids) })),
  }));
}

/** @param ids those of lines and of tickets; it takes as many as it needs */
function drawUp(
  { ticketSigner }: Needs,
  { ticketGroupId, admitDate }: Placement,
  { quantityBought: quantity }: PlacedItem,
  ids: { lines: bigint[]; tickets: bigint[] },
): NonNullable<PlacedItem['issued']> {
  const [orderTicketInfoId = 0n] = ids.lines.splice(0, 1);
  const line = { orderTicketInfoId, ticketGroupId: BigInt(ticketGroupId), admitDate: dateColumn(admitDate), quantity };
  const tickets = signTickets(ticketSigner, line, ids.tickets.splice(0, quantity));
  const codes = tickets.map(({ code }) => code);
  return { id: String(orderTicketInfoId), code: lineCode(ticketSigner, line, codes), tickets };
}
