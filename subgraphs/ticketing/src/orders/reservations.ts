import type { TicketingDatabase } from '@foyer/prisma/ticketing';

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
  organizationId: string;
  workspaceId: string;
  custId: string;
  langChosen: string;
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
  result: 'OK' | 'SOLD_OUT' | 'CLOSED' | 'DUPLICATE';
  /** The new order, or of a duplicate the one placed before. */
  orderTicketGroupId: bigint | null;
}

/** The one door to the capacity of a day. */
export interface Reservations {
  /** Takes capacity and writes the order down, or neither. */
  place(order: Placement): Promise<Placed>;
}

/** As many orders as one statement places: more would keep the first of them waiting. */
const BATCH = 64;

interface Waiting {
  order: Placement;
  resolve(placed: Placed): void;
  reject(error: unknown): void;
}

/**
 * Places orders of the same group and day together, without making anyone wait: the first runs at once, and
 * whoever arrives while it runs goes with the next. One commit then serves many orders of a hot day. Other
 * processes may do the same: the row of the day and its check keep them apart.
 */
export function openReservations(db: Pick<TicketingDatabase, '$queryRaw'>): Reservations {
  const queues = new Map<string, Waiting[]>();

  async function drain(key: string, queue: Waiting[]) {
    while (queue.length > 0) await placeTogether(db, queue.splice(0, BATCH));
    queues.delete(key);
  }

  return {
    place: (order) =>
      new Promise((resolve, reject) => {
        const key = `${order.ticketGroupId}/${order.admitDate}`;
        const waiting = { order, resolve, reject };
        const running = queues.get(key);
        const queue = running ?? [];
        queue.push(waiting);
        if (running) return;
        queues.set(key, queue);
        void drain(key, queue);
      }),
  };
}

/** Never throws: each waiting order gets its own answer. One that can't be placed spoils no other. */
async function placeTogether(db: Pick<TicketingDatabase, '$queryRaw'>, batch: readonly Waiting[]): Promise<void> {
  try {
    const placed = await placeOrders(
      db,
      batch.map(({ order }) => order),
    );
    for (const { order, resolve } of batch) {
      const mine = placed.get(order.orderNo);
      if (!mine) throw new Error(`place_orders did not answer for ${order.orderNo}`);
      resolve(mine);
    }
  } catch (error) {
    const [only, ...others] = batch;
    if (only && others.length === 0) return only.reject(error);
    for (const one of batch) await placeTogether(db, [one]);
  }
}

async function placeOrders(db: Pick<TicketingDatabase, '$queryRaw'>, orders: readonly Placement[]) {
  const rows = await db.$queryRaw<
    { order_no: string; result: Placed['result']; order_ticket_group_id: bigint | null }[]
  >`
    SELECT order_no, result, order_ticket_group_id
    FROM ticketing.place_orders(ARRAY(SELECT jsonb_array_elements(${JSON.stringify(orders)}::jsonb)))`;
  return new Map(
    rows.map((row) => [row.order_no, { result: row.result, orderTicketGroupId: row.order_ticket_group_id }]),
  );
}
