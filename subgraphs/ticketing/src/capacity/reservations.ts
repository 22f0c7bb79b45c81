import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingDatabase, TicketingTransaction } from '@foyer/prisma/ticketing';
import type { Id } from '@foyer/shared/ids';

import { isConnectionLoss, nothingWasDone } from '@foyer/shared/database-errors';
import { dateColumn } from '../units/calendar.ts';
import { inBatches } from '@foyer/shared/in-batches';
import { orderUncertain } from './refusals.ts';

/** An order to be written once its capacity is taken. Money in sen, moments and days as text. */
export interface Placement {
  orderNo: string;
  billId: string;
  transactionId: string;
  productId: string;
  productDesc: string;
  ticketGroupId: string;
  /** YYYY-MM-DD */
  admitDate: string;
  organizationId: Id;
  workspaceId: Id;
  custId: Id;
  /** The guest has no record yet: it is written with the order. */
  isNewGuest: boolean;
  /** The network of a guest; null where it is not known or does not count. */
  placedFrom: string | null;
  langChosen: string;
  langSent: string | null;
  msgToken: string;
  buyerName: string;
  buyerEmail: string;
  totalAmountSen: string;
  quantity: number;
  /** RFC 3339 */
  holdExpiresAt: string;
  placedAt: string;
  idempotencyKey: string | null;
  bodyHash: string | null;
  /** It costs nothing: the statement that places it confirms it, too. */
  isFree: boolean;
  /** The moment as the notification of a free order writes it; null for one that must be paid. */
  stamp: string | null;
  /** How many unpaid orders the buyer may have, this one included; null for any number. */
  mostOpen: number | null;
  /** How many unpaid orders the guests of one network may have, including this one; null for any number. */
  mostOpenFrom: number | null;
  items: readonly PlacedItem[];
}

export interface PlacedItem {
  ticketVariantId: string;
  itemId: string;
  unitPriceSen: string;
  itemDesc1: string;
  itemDesc2: string;
  itemDesc3: string;
  variant: string;
  quantityBought: number;
  /** Of a free order: its tickets, and the ids and the code that they need before their rows exist. */
  issued?: { id: string; code: string; tickets: readonly { id: string; serial: number; code: string }[] };
}

interface Placed {
  result: 'OK' | 'SOLD_OUT' | 'CLOSED' | 'DUPLICATE' | 'TOO_MANY_OPEN' | 'TOO_MANY_OPEN_FROM';
  /** The new order. */
  order: OrderTicketGroup | null;
}

/** The mail of a new free order is to be enqueued. */
type PlacedWithMail = Placed & { deliveryId: bigint | null };

/** Takes capacity. All of it is taken, released and taken again in this module. */
export interface Reservations {
  /**
   * Takes capacity and writes the order, and confirms it if it is free; or does nothing of it.
   *
   * @throws {Refusal} `ORDER_UNCERTAIN` when the connection was lost before the database answered
   */
  place(order: Placement): Promise<Placed>;
}

type Needs = Pick<TicketingDatabase, '$queryRaw' | '$transaction' | 'orderTicketGroup' | 'idempotencyKey'>;

/** What free orders are confirmed with. */
export interface FreeOrders {
  /** Signs the tickets of orders that are not placed yet. */
  issue(placements: readonly Placement[]): Promise<Placement[]>;
  /** Enqueues the mails of orders, in the transaction that has placed them. */
  enqueueMails(tx: TicketingTransaction, deliveryIds: readonly bigint[]): Promise<void>;
}

/**
 * Places orders for the same group and day together, so that one commit serves many orders of a busy day. Other
 * processes may do the same at once: the row of the day and its check constraint prevent overselling.
 */
export function openReservations(db: Needs, freeOrders: FreeOrders): Reservations {
  const place = (orders: readonly Placement[]) =>
    orders[0]?.isFree ? placeFreeOrders(db, orders, freeOrders) : placeOrders(db, orders);
  const failed = new WeakSet<Placement>();
  return {
    place: inBatches({
      keyOf: ({ ticketGroupId, admitDate, isFree }) => `${ticketGroupId}/${admitDate}/${isFree}`,
      async run(orders) {
        try {
          const placed = await place(orders);
          return orders.some((order) => failed.has(order)) ? await orBefore(db, orders, placed) : placed;
        } catch (error) {
          for (const order of orders) failed.add(order);
          return findPlaced(db, orders, error);
        }
      },
      isOfAll: nothingWasDone,
    }),
  };
}

/** Longer than Prisma's defaults, because processes wait for each other at a busy day. In milliseconds. */
const TIMEOUTS = { maxWait: 10_000, timeout: 15_000 };

async function placeFreeOrders(db: Needs, orders: readonly Placement[], freeOrders: FreeOrders): Promise<Placed[]> {
  const issued = await freeOrders.issue(orders); // before the row of the day is locked
  return db.$transaction(async (tx) => {
    const placed = await placeOrders(tx, issued);
    await freeOrders.enqueueMails(
      tx,
      placed.flatMap(({ deliveryId }) => deliveryId ?? []),
    );
    return placed;
  }, TIMEOUTS);
}

interface PlacedRow {
  order_no: string;
  result: Placed['result'];
  order_ticket_group_id: bigint | null;
  delivery_id: bigint | null;
}

async function placeOrders(db: Pick<Needs, '$queryRaw'>, placements: readonly Placement[]): Promise<PlacedWithMail[]> {
  const rows = await db.$queryRaw<PlacedRow[]>`
    SELECT order_no, result, order_ticket_group_id, delivery_id
    FROM ticketing.place_orders(ARRAY(SELECT jsonb_array_elements(${JSON.stringify(placements)}::jsonb)))`;
  const rowOf = new Map(rows.map((row) => [row.order_no, row]));
  return placements.map((placement) => {
    const row = rowOf.get(placement.orderNo);
    if (!row) throw new Error(`place_orders did not answer for ${placement.orderNo}`);
    const isNew = row.result === 'OK' && row.order_ticket_group_id !== null;
    const order = isNew ? asWritten(placement, row.order_ticket_group_id as bigint) : null;
    return { result: row.result, order, deliveryId: row.delivery_id };
  });
}

/**
 * Looks after a failure whether the order was committed all the same, by its unique number, or an order of another day has
 * just taken its idempotency key. The orders of a batch are each placed again alone first, and those that were committed
 * before fail on their number and end here, too.
 *
 * @throws {Refusal} `ORDER_UNCERTAIN`, or the failure
 */
async function findPlaced(db: Needs, placements: readonly Placement[], error: unknown): Promise<Placed[]> {
  const [only, ...others] = placements;
  if (!only || others.length > 0) throw error;
  const [order, isKeyTaken] = await Promise.all([
    db.orderTicketGroup.findUnique({ where: { orderNo: only.orderNo } }),
    takesKnownKey(db, only),
  ]).catch(() => {
    throw orderUncertain(error);
  });
  if (order) return [{ result: 'OK', order }];
  if (isKeyTaken) return [{ result: 'DUPLICATE', order: null }];
  throw isConnectionLoss(error) ? orderUncertain(error) : error;
}

/** Orders of a batch that failed are refused when they are placed again if it was committed all the same: they hold the last places. */
function orBefore(db: Needs, placements: readonly Placement[], placed: readonly Placed[]): Promise<Placed[]> {
  return Promise.all(
    placed.map(async (one, index): Promise<Placed> => {
      if (one.result === 'OK') return one;
      const order = await db.orderTicketGroup.findUnique({ where: { orderNo: placements[index]?.orderNo ?? '' } });
      return order ? { result: 'OK', order } : one;
    }),
  );
}

async function takesKnownKey(db: Needs, { custId, idempotencyKey: key, placedAt }: Placement): Promise<boolean> {
  if (key === null) return false;
  const known = await db.idempotencyKey.findUnique({ where: { custId_key: { custId, key } } });
  return known !== null && known.expiresAt > new Date(placedAt);
}

/** Builds the row that `place_orders` has written, without reading it again. */
function asWritten(
  {
    items: _lines,
    bodyHash: _key,
    isFree,
    stamp: _stamp,
    mostOpen: _most,
    mostOpenFrom: _from,
    isNewGuest: _new,
    placedAt,
    ...order
  }: Placement,
  id: bigint,
): OrderTicketGroup {
  const at = new Date(placedAt);
  return {
    ...order,
    orderTicketGroupId: id,
    ticketGroupId: BigInt(order.ticketGroupId),
    totalAmountSen: BigInt(order.totalAmountSen),
    admitDate: dateColumn(order.admitDate),
    placedFrom: isFree ? null : order.placedFrom,
    holdExpiresAt: isFree ? null : new Date(order.holdExpiresAt),
    transactionStatus: isFree ? 'FREE' : 'INITIATED',
    bankCurrentStatus: '',
    currency: 'MYR',
    isEmailSent: false,
    bankCode: '',
    bankName: '',
    gatewayTransactionId: null,
    expiryExtendedMinutes: 0,
    bankAskedAt: null,
    paidAt: null,
    reviewReason: null,
    reviewResolvedAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
}

type Held = Pick<OrderTicketGroup, 'orderTicketGroupId'>;

/** Releases what an order took of its day; `failOrder` calls it once the order no longer holds capacity. */
export async function releaseCapacity(tx: TicketingTransaction, { orderTicketGroupId }: Held): Promise<void> {
  await tx.$executeRaw`SELECT ticketing.release_capacity(${orderTicketGroupId})`;
}

/**
 * Takes the capacity of an order again, after it was released.
 *
 * @returns false when the order no longer fits
 */
export async function retakeCapacity(tx: TicketingTransaction, { orderTicketGroupId }: Held): Promise<boolean> {
  const [row] = await tx.$queryRaw<
    [{ fits: boolean }]
  >`SELECT ticketing.retake_capacity(${orderTicketGroupId}) AS fits`;
  return row.fits;
}
