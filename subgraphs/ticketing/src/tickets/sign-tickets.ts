import type { TicketSigner } from '../ticket-codes/ticket-signer.ts';

/** A line of an order whose tickets are signed. */
interface Line {
  orderTicketInfoId: bigint;
  ticketGroupId: bigint;
  admitDate: Date;
  /** How many it admits. */
  quantity: number;
}

/**
 * Signs the tickets of a line, one per admission.
 *
 * @param ids of its tickets, in the order of their serials
 */
export const signTickets = (signer: TicketSigner, { ticketGroupId, admitDate }: Line, ids: readonly bigint[]) =>
  ids.map((id, index) => {
    const serial = index + 1;
    return { id: String(id), serial, code: signer.sign({ kind: 'admission', id, serial, ticketGroupId, admitDate }) };
  });

/** The code of a whole line; of a line that admits one it is that of its ticket. */
export function lineCode(signer: TicketSigner, line: Line, codes: readonly string[]): string {
  const { orderTicketInfoId: id, quantity: serial, ticketGroupId, admitDate } = line;
  const [only = ''] = codes;
  return serial === 1 ? only : signer.sign({ kind: 'line', id, serial, ticketGroupId, admitDate });
}
