import type { OrderTicketGroup } from '@foyer/prisma/client';
import type { TicketingDatabase } from '@foyer/prisma/ticketing';
import type { Id } from '@foyer/shared/ids';

import { isConnectionLoss } from '@foyer/shared/database-errors';
import { dateColumn } from '../units/calendar.ts';
import { inBatches } from '../database/in-batches.ts';
import { orderUncertain } from './refusals.ts';

/** An order as it is written down, once there is room for it. Money in sen, moments and days as text. */
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
  /** Of whom nothing is kept yet: written down with the order. */
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
  /** How many unpaid orders the buyer may have, this one included; null for any number. */
  mostOpen: number | null;
  /** How many unpaid orders guests of one network may have, this one included; null for any number. */
  mostOpenFrom: number | null;
  items: readonly PlacedItem[];
}

interface PlacedItem {
  ticketVariantId: string;
  itemId: string;
  unitPriceSen: string;
  itemDesc1: string;
  itemDesc2: string;
  itemDesc3: string;
  variant: string;
  quantityBought: number;
}

interface Placed {
  result: 'OK' | 'SOLD_OUT' | 'CLOSED' | 'DUPLICATE' | 'TOO_MANY_OPEN' | 'TOO_MANY_OPEN_FROM';
  /** The new order. */
  order: OrderTicketGroup | null;
}

/** The one door to the capacity of a day. */
export interface Reservations {
  /**
   * Takes capacity and writes the order down, or neither.
   *
   * @throws {Refusal} `ORDER_UNCERTAIN` when the database went away before it said which
   */
  place(order: Placement): Promise<Placed>;
}

type Needs = Pick<TicketingDatabase, '$queryRaw' | 'orderTicketGroup'>;

/**
 * Places orders of the same group and day together. One commit then serves many orders of a hot day. Other
 * processes may do the same: the row of the day and its check keep them apart.
 */
export const openReservations = (db: Needs): Reservations => ({
  place: inBatches({
    keyOf: ({ ticketGroupId, admitDate }) => `${ticketGroupId}/${admitDate}`,
    run: (orders) => placeOrders(db, orders).catch((error: unknown) => findPlaced(db, orders, error)),
  }),
});

async function placeOrders(db: Needs, placements: readonly Placement[]): Promise<Placed[]> {
  const rows = await db.$queryRaw<
    { order_no: string; result: Placed['result']; order_ticket_group_id: bigint | null }[]
  >`
    SELECT order_no, result, order_ticket_group_id
    FROM ticketing.place_orders(ARRAY(SELECT jsonb_array_elements(${JSON.stringify(placements)}::jsonb)))`;
  const rowOf = new Map(rows.map((row) => [row.order_no, row]));
  return placements.map((placement) => {
    const row = rowOf.get(placement.orderNo);
    if (!row) throw new Error(`place_orders did not answer for ${placement.orderNo}`);
    const isNew = row.result === 'OK' && row.order_ticket_group_id !== null;
    return { result: row.result, order: isNew ? asWritten(placement, row.order_ticket_group_id as bigint) : null };
  });
}

/**
 * After a failure: a commit whose answer was lost is found by the number that nobody else has. Of several,
 * each is placed again by itself; what was placed already then comes to this, too.
 *
 * @throws {Refusal} `ORDER_UNCERTAIN`, or the failure
 */
async function findPlaced(db: Needs, placements: readonly Placement[], error: unknown): Promise<Placed[]> {
  const [only, ...others] = placements;
  if (!only || others.length > 0) throw error;
  const order = await db.orderTicketGroup.findUnique({ where: { orderNo: only.orderNo } }).catch(() => {
    throw orderUncertain(error);
  });
  if (order) return [{ result: 'OK', order }];
  throw isConnectionLoss(error) ? orderUncertain(error) : error;
}

/** The row that `place_orders` has written, without reading it again. */
function asWritten(
  {
    items: _lines,
    bodyHash: _key,
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
    holdExpiresAt: new Date(order.holdExpiresAt),
    transactionStatus: 'INITIATED',
    bankCurrentStatus: '',
    currency: 'MYR',
    isEmailSent: false,
    bankCode: '',
    bankName: '',
    gatewayTransactionId: null,
    expiryExtendedMinutes: 0,
    paidAt: null,
    reviewReason: null,
    reviewResolvedAt: null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
}
