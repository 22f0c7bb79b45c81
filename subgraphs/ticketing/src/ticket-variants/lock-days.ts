import type { TicketingTransaction } from '@foyer/prisma/ticketing';

/**
 * Locks a group before its days from `today` on, and these before the caller changes variants, as orders do: neither waits for the
 * other crosswise, and what was sold can be counted, because orders and released places come before or after. The first
 * order of a day, which has no row to lock, waits for the group.
 */
export async function lockDays(tx: TicketingTransaction, ticketGroupId: bigint, today: Date): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM ticketing.ticket_group WHERE ticket_group_id = ${ticketGroupId} FOR NO KEY UPDATE`;
  await tx.$queryRaw`
    SELECT 1 FROM ticketing.daily_capacity WHERE ticket_group_id = ${ticketGroupId} AND admit_date >= ${today}
    ORDER BY admit_date FOR UPDATE`;
}
