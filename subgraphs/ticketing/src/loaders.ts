import type { OrderTicketInfo, OrderTicketLog, PaymentEvent, TicketGroup, TicketVariant } from '@foyer/prisma/client';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import DataLoader from 'dataloader';

/** Loads what lists show with each row, in one query for all rows. */
export interface Loaders {
  /** By the number of the order, line by line. */
  items: DataLoader<bigint, OrderTicketInfo[]>;
  /** By the number of the order, the oldest first. */
  logs: DataLoader<bigint, OrderTicketLog[]>;
  /** By the number of the order, the oldest first. */
  payments: DataLoader<bigint, PaymentEvent[]>;
  ticketGroup: DataLoader<bigint, TicketGroup>;
  /** By the number of the ticket group, in their order, on sale or not. */
  variants: DataLoader<bigint, TicketVariant[]>;
}

/** Opens the loaders of one request. They cache nothing, because a subscription must read again for every event. */
export const openLoaders = (db: TicketingDatabase): Loaders => ({
  items: grouped(
    (ids) =>
      db.orderTicketInfo.findMany({
        where: { orderTicketGroupId: { in: ids } },
        orderBy: { orderTicketInfoId: 'asc' },
      }),
    (item) => item.orderTicketGroupId,
  ),
  logs: grouped(
    (ids) =>
      db.orderTicketLog.findMany({ where: { orderTicketGroupId: { in: ids } }, orderBy: { orderTicketLogId: 'asc' } }),
    (log) => log.orderTicketGroupId,
  ),
  payments: grouped(
    (ids) =>
      db.paymentEvent.findMany({ where: { orderTicketGroupId: { in: ids } }, orderBy: { paymentEventId: 'asc' } }),
    (event) => event.orderTicketGroupId ?? 0n,
  ),
  ticketGroup: new DataLoader(
    async (ids) => {
      const rows = await db.ticketGroup.findMany({ where: { ticketGroupId: { in: [...new Set(ids)] } } });
      const byId = new Map(rows.map((row) => [row.ticketGroupId, row]));
      return ids.map((id) => byId.get(id) ?? new Error(`there is no ticket group ${id}`));
    },
    { cache: false },
  ),
  variants: grouped(
    (ids) =>
      db.ticketVariant.findMany({
        where: { ticketGroupId: { in: ids } },
        orderBy: [{ sort: 'asc' }, { ticketVariantId: 'asc' }],
      }),
    (variant) => variant.ticketGroupId,
  ),
});

/** Loads the rows that belong to each key. */
const grouped = <Row>(load: (keys: bigint[]) => Promise<Row[]>, keyOf: (row: Row) => bigint) =>
  new DataLoader<bigint, Row[]>(
    async (keys) => {
      const byKey = Map.groupBy(await load([...new Set(keys)]), keyOf);
      return keys.map((key) => byKey.get(key) ?? []);
    },
    { cache: false },
  );
