import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Services } from '../context.ts';
import { lineCode, signTickets } from './sign-tickets.ts';

type Needs = Pick<Services, 'ticketSigner'>;

/** A line of an order, and what was issued for it before. */
interface Line {
  orderTicketInfoId: bigint;
  orderTicketGroupId: bigint;
  ticketGroupId: bigint;
  quantity: number;
  admitDate: Date;
  isCoded: boolean;
  /** The serials of its tickets, and their codes. */
  serials: number[];
  codes: string[];
  /** Reserved for its tickets before their rows exist, because a code contains the id of its ticket. */
  ids: bigint[];
}

/**
 * Issues the tickets of orders, one per admission, in the transaction that makes them SUCCESS or FREE. Existing tickets
 * stay as they are. However many orders there are, it takes two statements.
 */
export async function issueTickets(
  needs: Needs,
  tx: TicketingTransaction,
  orderTicketGroupIds: readonly bigint[],
): Promise<void> {
  const lines = await tx.$queryRaw<Line[]>`
    SELECT i.order_ticket_info_id AS "orderTicketInfoId", i.order_ticket_group_id AS "orderTicketGroupId",
      o.ticket_group_id AS "ticketGroupId", i.quantity_bought AS quantity, i.admit_date AS "admitDate",
      i.encrypted_id IS NOT NULL AS "isCoded",
      ARRAY(SELECT serial FROM ticketing.ticket t WHERE t.order_ticket_info_id = i.order_ticket_info_id ORDER BY 1) AS serials,
      ARRAY(SELECT code FROM ticketing.ticket t WHERE t.order_ticket_info_id = i.order_ticket_info_id ORDER BY serial) AS codes,
      ARRAY(
        SELECT nextval(pg_get_serial_sequence('ticketing.ticket', 'ticket_id')) FROM generate_series(1, i.quantity_bought)
      ) AS ids
    FROM ticketing.order_ticket_info i JOIN ticketing.order_ticket_group o USING (order_ticket_group_id)
    WHERE i.order_ticket_group_id = ANY (${orderTicketGroupIds})
    ORDER BY 1`;
  await writeTickets(
    tx,
    lines.map((line) => drawUp(needs, line)),
  );
}

/** Signs the missing tickets of a line, and its own code. */
function drawUp({ ticketSigner }: Needs, line: Line) {
  const tickets = signTickets(ticketSigner, line, line.ids).filter(({ serial }) => !line.serials.includes(serial));
  const codes = [...line.codes, ...tickets.map(({ code }) => code)];
  return {
    line: String(line.orderTicketInfoId),
    order: String(line.orderTicketGroupId),
    group: String(line.ticketGroupId),
    admitDate: line.admitDate,
    tickets,
    code: line.isCoded ? null : lineCode(ticketSigner, line, codes),
  };
}

async function writeTickets(tx: TicketingTransaction, lines: ReturnType<typeof drawUp>[]): Promise<void> {
  await tx.$executeRaw`
    WITH line AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        AS l(line bigint, "order" bigint, "group" bigint, "admitDate" timestamptz, code text, tickets jsonb)
    ), issued AS (
      INSERT INTO ticketing.ticket
        (ticket_id, order_ticket_group_id, order_ticket_info_id, ticket_group_id, serial, admit_date, code)
      SELECT t.id, line."order", line.line, line."group", t.serial, (line."admitDate" AT TIME ZONE 'UTC')::date, t.code
      FROM line, jsonb_to_recordset(line.tickets) AS t(id bigint, serial int, code text)
      ON CONFLICT DO NOTHING
    )
    UPDATE ticketing.order_ticket_info i SET encrypted_id = line.code
    FROM line WHERE i.order_ticket_info_id = line.line AND line.code IS NOT NULL`;
}
