import { openDatabase } from '@foyer/prisma/client';
import { systemClock } from '@foyer/shared/clock';
import { openCheckout } from '@foyer/ticketing/testing/checkout';
import { createGuest, createTicketGroupOnSale } from '@foyer/ticketing/testing/storefront-fixture';
import type { Pool } from 'pg';
import { Pool as Connections } from 'undici';

import { newNames, PLAINLY } from './names.ts';

/** Where orders are written. */
export interface Books {
  db: ReturnType<typeof openDatabase>;
  pool: Pool;
}

export interface Sale {
  ticketGroupId: string;
  itemId: string;
  admitDate: string;
  /** In ringgit. */
  unitPrice: number;
}

export type Buy = (custId: string) => Promise<'placed' | 'sold out'>;

/** What a buyer does again and again. */
type Repeated = (custId: string) => Promise<unknown>;

export interface Figures {
  perSecond: number;
  /** In ms. */
  p50: number;
  p99: number;
}

const admitDate = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);

/** A group of its own, with one day that has so many places. */
export async function putOnSale(db: Books['db'], dailyCapacity: number, unitPriceSen: bigint): Promise<Sale> {
  const { ticketGroupId, itemId } = await createTicketGroupOnSale(db, { dailyCapacity, unitPriceSen });
  const day = { ticketGroupId: BigInt(ticketGroupId), admitDate: new Date(`${admitDate}T00:00:00Z`) };
  await db.dailyCapacity.create({ data: { ...day, capacity: dailyCapacity } });
  return { ticketGroupId, itemId, admitDate, unitPrice: Number(unitPriceSen) / 100 };
}

const inputOf = ({ ticketGroupId, itemId, unitPrice, ...sale }: Sale, custId: string) => ({
  ticketGroupId,
  custId,
  admitDate: sale.admitDate,
  buyerName: 'Siti Aminah',
  buyerEmail: 'siti@example.my',
  items: [{ itemId, unitPrice, quantityBought: 1 }],
});

const mutationOf = ({ unitPrice }: Sale) => `mutation ($input: CreateOrderInput!) {
  ${unitPrice > 0 ? 'createOrder' : 'createFreeOrder'}(input: $input) {
    orderNo billId productId totalAmount msgToken transactionId
  }
}`;

/**
 * Without `fetch`, which costs the buyers, on the same machine, as much as the answer costs the server.
 *
 * @param way whether a plain transaction is to place them (./plain-server.ts)
 */
export function throughTheApi(connections: Connections, sale: Sale, way: 'ours' | 'plain'): Buy {
  const headers = { 'content-type': 'application/json' };
  const query = mutationOf(sale);
  const more = way === 'plain' && { productDesc: PLAINLY };
  return async (custId) => {
    const body = JSON.stringify({ query, variables: { input: { ...inputOf(sale, custId), ...more } } });
    const answer = await connections.request({ path: '/graphql', method: 'POST', headers, body });
    const text = await answer.body.text();
    if (text.includes('"orderNo"')) return 'placed';
    if (text.includes('"SOLD_OUT"')) return 'sold out';
    throw new Error(text);
  };
}

/** A request that does nothing. */
export function askingNothing(connections: Connections) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ query: '{ __typename }' });
  return async () => {
    const answer = await connections.request({ path: '/graphql', method: 'POST', headers, body });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(text);
  };
}

export function asAFunction({ db }: Books, sale: Sale): Buy {
  const checkout = openCheckout({ db, clock: systemClock });
  return async (custId) => {
    await checkout.createOrder(inputOf(sale, custId));
    return 'placed';
  };
}

/** As many orders per statement as there are buyers, prepared beforehand. */
export async function byBareSql({ db, pool }: Books, sale: Sale, buyers: number) {
  const checkout = openCheckout({ db, clock: systemClock });
  const pattern = await checkout.drawUp(inputOf(sale, await createGuest(db)));
  const batch = () =>
    JSON.stringify(Array.from({ length: Math.min(buyers, 64) }, () => ({ ...pattern, ...newNames() })));
  const sql = 'SELECT result FROM ticketing.place_orders(ARRAY(SELECT jsonb_array_elements($1::jsonb)))';
  async function loops(count: number, seconds: number): Promise<number> {
    let placed = 0;
    const started = performance.now();
    const end = started + seconds * 1_000;
    await Promise.all(
      Array.from({ length: count }, async () => {
        while (performance.now() < end) placed += (await pool.query(sql, [batch()])).rowCount ?? 0;
      }),
    );
    return (placed / (performance.now() - started)) * 1_000;
  }
  return async (warmSeconds: number, seconds: number): Promise<Figures> => {
    await loops(1, warmSeconds);
    // With two, one is at the database while the other is on its way, but they wait for the same row: the better counts.
    const perSecond = Math.max(await loops(1, seconds / 2), await loops(2, seconds / 2));
    return { perSecond, p50: 0, p99: 0 };
  };
}

/** Lets every buyer buy again and again until the time is over; returns how long each order took, in ms. */
async function shop(guests: readonly string[], buy: Repeated, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  await Promise.all(
    guests.map(async (custId) => {
      while (performance.now() < end) {
        const startedAt = performance.now();
        await buy(custId);
        times.push(performance.now() - startedAt);
      }
    }),
  );
  return times;
}

export const byBuyers =
  (guests: readonly string[], buy: Repeated) =>
  async (warmSeconds: number, seconds: number): Promise<Figures> => {
    await shop(guests, buy, warmSeconds);
    const started = performance.now();
    const times = await shop(guests, buy, seconds);
    const perSecond = (times.length / (performance.now() - started)) * 1_000;
    const sorted = times.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { perSecond, p50: at(0.5), p99: at(0.99) };
  };

/** Throws unless what is reserved is what was ordered, and not more than there is. @returns the reserved places */
export async function audit({ pool }: Books, { ticketGroupId }: Sale): Promise<number> {
  const { rows } = await pool.query<{ capacity: number; reserved: number; ordered: number; items: number }>(
    `SELECT c.capacity, c.reserved,
       (SELECT sum(o.quantity)::int FROM ticketing.order_ticket_group o
         WHERE o.ticket_group_id = $1 AND o.transaction_status <> 'FAILED') AS ordered,
       (SELECT sum(i.quantity_bought)::int FROM ticketing.order_ticket_info i
         JOIN ticketing.order_ticket_group o USING (order_ticket_group_id) WHERE o.ticket_group_id = $1) AS items
     FROM ticketing.daily_capacity c WHERE c.ticket_group_id = $1`,
    [ticketGroupId],
  );
  const [books] = rows;
  if (!books || books.reserved > books.capacity) throw new Error(`sold too many: ${JSON.stringify(books)}`);
  if (books.reserved !== books.ordered || books.ordered !== books.items) {
    throw new Error(`the books do not balance: ${JSON.stringify(books)}`);
  }
  return books.reserved;
}
