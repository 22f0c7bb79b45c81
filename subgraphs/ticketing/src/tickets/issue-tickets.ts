import type { Ticket } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Services } from '../context.ts';

type Needs = Pick<Services, 'ticketSigner'>;

/**
 * Issues the tickets of an order, one per admission, in the transaction that makes it SUCCESS or FREE. Existing tickets
 * stay as they are.
 */
export async function issueTickets(
  { ticketSigner }: Needs,
  tx: TicketingTransaction,
  orderTicketGroupId: bigint,
): Promise<void> {
  const items = await tx.orderTicketInfo.findMany({
    where: { orderTicketGroupId },
    include: { order: { select: { ticketGroupId: true } }, tickets: true },
  });
  const missing = items.flatMap((item) => {
    const there = new Set(item.tickets.map(({ serial }) => serial));
    const serials = Array.from({ length: item.quantityBought }, (_, index) => index + 1);
    return serials.filter((serial) => !there.has(serial)).map((serial) => ({ item, serial }));
  });

  const ids = await reserveIds(tx, missing.length);
  const tickets = missing.map(({ item, serial }, index) => {
    const { orderTicketInfoId, admitDate } = item;
    const [ticketId = 0n, ticketGroupId] = [ids[index], item.order.ticketGroupId];
    const code = ticketSigner.sign({ kind: 'admission', id: ticketId, serial, ticketGroupId, admitDate });
    return { ticketId, orderTicketGroupId, orderTicketInfoId, ticketGroupId, serial, admitDate, code };
  });
  await tx.ticket.createMany({ data: tickets, skipDuplicates: true });

  for (const { orderTicketInfoId, encryptedId, quantityBought, admitDate, order, tickets: there } of items) {
    if (encryptedId) continue;
    const line = { kind: 'line', id: orderTicketInfoId, serial: quantityBought, ...order, admitDate } as const;
    const only = [...there, ...tickets].find((ticket) => ticket.orderTicketInfoId === orderTicketInfoId);
    await tx.orderTicketInfo.update({
      where: { orderTicketInfoId },
      data: { encryptedId: quantityBought === 1 && only ? only.code : ticketSigner.sign(line) },
    });
  }
}

/** Reserves ids before the rows exist, because a code contains the id of its ticket. */
async function reserveIds(tx: TicketingTransaction, count: number): Promise<bigint[]> {
  const rows = await tx.$queryRaw<Pick<Ticket, 'ticketId'>[]>`
    SELECT nextval(pg_get_serial_sequence('ticketing.ticket', 'ticket_id')) AS "ticketId" FROM generate_series(1, ${count})`;
  return rows.map(({ ticketId }) => ticketId);
}
