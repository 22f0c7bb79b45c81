import type { OrderLogType, OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingTransaction } from '@foyer/prisma/ticketing';

interface Entry {
  type: OrderLogType;
  title: string;
  message: string;
  at: Date;
  /** Default: the house itself. */
  performedBy?: string;
}

/** Adds to an order's story, in the transaction that makes it true. */
export async function writeLog(
  tx: Pick<TicketingTransaction, 'orderTicketLog'>,
  { orderTicketGroupId }: Pick<OrderTicketGroup, 'orderTicketGroupId'>,
  { at, performedBy = 'system', ...entry }: Entry,
): Promise<void> {
  await tx.orderTicketLog.create({ data: { ...entry, orderTicketGroupId, performedBy, date: at } });
}
