import type { OrderLogType, OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

interface Entry {
  type: OrderLogType;
  title: string;
  message: string;
  at: Date;
  /** Default: `system`, the server itself. */
  performedBy?: string;
}

/** Adds an entry to the log of an order, in the transaction that makes it true. */
export async function writeOrderLog(
  tx: Pick<TicketingTransaction, 'orderTicketLog'>,
  { orderTicketGroupId }: Pick<OrderTicketGroup, 'orderTicketGroupId'>,
  { at, performedBy = 'system', ...entry }: Entry,
): Promise<void> {
  await tx.orderTicketLog.create({ data: { ...entry, orderTicketGroupId, performedBy, date: at } });
}
