import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

import type { Services } from '../context.ts';
import { queueConfirmations } from '../deliveries/queue-confirmation.ts';
import { issueTickets } from '../tickets/issue-tickets.ts';
import { stampOf } from '../units/calendar.ts';

type Needs = Pick<Services, 'clock' | 'jobs' | 'ticketSigner'>;

/**
 * Confirms orders that cost nothing, in the transaction that places them: they become FREE, with their tickets, their
 * mails, and what staff is told. The number of statements does not depend on the number of orders.
 *
 * @returns the orders as they are then
 */
export async function confirmFreeOrders(
  needs: Needs,
  tx: TicketingTransaction,
  placed: readonly OrderTicketGroup[],
): Promise<OrderTicketGroup[]> {
  const ids = placed.map(({ orderTicketGroupId }) => orderTicketGroupId);
  const now = needs.clock.now();
  const count = await tx.$executeRaw`
    UPDATE ticketing.order_ticket_group
    SET transaction_status = 'FREE', hold_expires_at = NULL, version = version + 1, updated_at = ${now}::timestamptz
    WHERE order_ticket_group_id = ANY (${ids}) AND total_amount_sen = 0`;
  if (count !== ids.length) throw new Error(`of ${ids.length} free orders, ${count} are free`);
  await issueTickets(needs, tx, ids);
  await queueConfirmations(needs, tx, ids);
  await tell(tx, ids, now);
  return placed.map((order) => ({
    ...order,
    transactionStatus: 'FREE',
    holdExpiresAt: null,
    placedFrom: null,
    version: order.version + 1,
    updatedAt: now,
  }));
}

/** Writes an entry into the log of each order, and a notification to staff (see `writeOrderLog` and `notify`). */
const tell = (tx: TicketingTransaction, ids: readonly bigint[], now: Date) => tx.$executeRaw`
  WITH confirmed AS (
    SELECT * FROM ticketing.order_ticket_group WHERE order_ticket_group_id = ANY (${ids}) ORDER BY order_ticket_group_id
  ), logged AS (
    INSERT INTO ticketing.order_ticket_log (order_ticket_group_id, performed_by, type, title, message, date)
    SELECT order_ticket_group_id, 'system', 'order', 'Free order confirmed', order_no, ${now}::timestamptz FROM confirmed
  )
  INSERT INTO ticketing.notification
    (performed_by, authority_level, type, title, message, date, organization_id, workspace_id, updated_at)
  SELECT buyer_name, 'CUSTOMER', 'Order', 'Free order', buyer_name || ' placed the free order ' || order_no || '.',
    ${stampOf(now)}, organization_id, workspace_id, ${now}::timestamptz
  FROM confirmed`;
