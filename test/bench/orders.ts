/**
 * The orders per second of one hot day, in one run on one durable database:
 *
 *     pnpm bench:orders [--seconds 8] [--buyers 50]
 *
 * 1. the mutation `createOrder` through the public API of a real server;
 * 2. the same mutation through the same API, and behind it what a team would write first: an interactive Prisma
 *    transaction with SELECT … FOR UPDATE;
 * 3. the mutation `createFreeOrder`: the order, its tickets, its mail and what staff is told, in one step;
 * 4. our use case called as a function;
 * 5. the ceiling: the same SQL function, in batches of as many orders, by a bare `pg` loop.
 *
 * Each has a day of its own. After each, the reserved places must equal the ordered ones and be within
 * the capacity. At the end a day with few places is sold out by all buyers at once.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openDatabase } from '@foyer/prisma/client';
import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { deployMigrations } from '@foyer/prisma/migrate';
import { systemClock } from '@foyer/shared/clock';
import { openCheckout } from '@foyer/ticketing/testing/checkout';
import { createGuest, createTicketGroupOnSale } from '@foyer/ticketing/testing/storefront-fixture';
import { Pool } from 'pg';
import { Pool as Connections } from 'undici';

import { stopServerProcess, startServerProcess, type ServerProcess } from '../support/servers/server-process.ts';
import { newNames } from './plain-transaction.ts';
import { print } from './print.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, buyers: { type: 'string', default: '50' } },
});
const seconds = Number(values.seconds);
const buyers = Number(values.buyers);

const CAPACITY = 1_000_000;
const FEW = 300;
/** The warm-up, the same for each. */
const WARM_SECONDS = 3;
const PRICE_SEN = 50_00n;

const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-'));
const postgres = await startEmbeddedPostgres(folder);
await deployMigrations(postgres.url);
const db = openDatabase(postgres.url);
const pool = new Pool({ connectionString: postgres.url, max: 8 });
pool.on('error', () => undefined); // at the end the server may be gone before a connection is
let server: ServerProcess | undefined;

interface Sale {
  ticketGroupId: string;
  itemId: string;
  admitDate: string;
  /** In ringgit. */
  unitPrice: number;
}
type Buy = (custId: string) => Promise<'placed' | 'sold out'>;
interface Figures {
  perSecond: number;
  p50: number;
  p99: number;
}

const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
const aSale = async (dailyCapacity = CAPACITY, unitPriceSen = PRICE_SEN): Promise<Sale> => ({
  ...(await createTicketGroupOnSale(db, { dailyCapacity, unitPriceSen })),
  admitDate: day,
  unitPrice: Number(unitPriceSen) / 100,
});
const inputOf = ({ ticketGroupId, itemId, admitDate, unitPrice }: Sale, custId: string) => ({
  ticketGroupId,
  custId,
  admitDate,
  buyerName: 'Siti Aminah',
  buyerEmail: 'siti@example.my',
  items: [{ itemId, unitPrice, quantityBought: 1 }],
});

const mutationOf = ({ unitPrice }: Sale) => `mutation ($input: CreateOrderInput!) {
  ${unitPrice > 0 ? 'createOrder' : 'createFreeOrder'}(input: $input) {
    orderNo billId productId totalAmount msgToken transactionId
  }
}`;

/** Without `fetch`, which costs the buyers, on the same machine, as much as the answer costs the server. */
function throughTheApi(url: string, sale: Sale): Buy {
  const connections = new Connections(url, { connections: buyers, pipelining: 1 });
  const headers = { 'content-type': 'application/json' };
  const query = mutationOf(sale);
  return async (custId) => {
    const body = JSON.stringify({ query, variables: { input: inputOf(sale, custId) } });
    const answer = await connections.request({ path: '/graphql', method: 'POST', headers, body });
    const text = await answer.body.text();
    if (text.includes('"orderNo"')) return 'placed';
    if (text.includes('"SOLD_OUT"')) return 'sold out';
    throw new Error(text);
  };
}

function asAFunction(sale: Sale): Buy {
  const checkout = openCheckout({ db, clock: systemClock });
  return async (custId) => {
    await checkout.createOrder(inputOf(sale, custId));
    return 'placed';
  };
}

/** As many orders per statement as there are buyers, prepared beforehand. */
async function bareSql(sale: Sale): Promise<number> {
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
  await loops(1, WARM_SECONDS);
  // With two, one is at the database while the other is on its way, but they wait for the same row: the better counts.
  return Math.max(await loops(1, seconds / 2), await loops(2, seconds / 2));
}

/** Lets every buyer buy again and again until the time is over; returns how long each order took, in ms. */
async function shop(guests: readonly string[], buy: Buy, seconds: number): Promise<number[]> {
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

async function measure(buy: Buy): Promise<Figures> {
  const guests = await Promise.all(Array.from({ length: buyers }, () => createGuest(db)));
  await shop(guests, buy, WARM_SECONDS);
  const started = performance.now();
  const times = await shop(guests, buy, seconds);
  const perSecond = (times.length / (performance.now() - started)) * 1_000;
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { perSecond, p50: at(0.5), p99: at(0.99) };
}

/** Throws unless what is reserved is what was ordered, and not more than there is. */
async function audit({ ticketGroupId }: Sale): Promise<number> {
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

const report = (name: string, { perSecond, p50, p99 }: Figures) =>
  print(
    `${name.padEnd(44)} ${perSecond.toFixed(0).padStart(6)} orders/s   p50 ${p50.toFixed(1).padStart(7)} ms   p99 ${p99.toFixed(1).padStart(7)} ms`,
  );

async function run(name: string, sale: Sale, buy: Buy): Promise<Figures> {
  const figures = await measure(buy);
  await audit(sale);
  report(name, figures);
  return figures;
}

/** Starts one server at a time. */
async function withServer<Result>(preloaded: readonly string[], measured: (url: string) => Promise<Result>) {
  server = await startServerProcess({
    DATABASE_URL: postgres.url,
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    GRAPHQL_REQUESTS_PER_ADDRESS: '0',
    SEED_DEMO: 'false',
    NODE_OPTIONS: preloaded.map((file) => `--import ${join(import.meta.dirname, file)}`).join(' '),
  });
  const result = await measured(server.url);
  await stopServerProcess(server);
  server = undefined;
  return result;
}

async function ofADay(name: string, url: string, unitPriceSen = PRICE_SEN): Promise<Figures> {
  const sale = await aSale(CAPACITY, unitPriceSen);
  const { ticketGroupId, admitDate } = sale;
  await db.dailyCapacity.create({
    data: { ticketGroupId: BigInt(ticketGroupId), admitDate: new Date(`${admitDate}T00:00:00Z`), capacity: CAPACITY },
  });
  return run(name, sale, throughTheApi(url, sale));
}

/** @throws when the last order was not written by the plain transaction: Foyer would be compared with itself */
async function assertPlain(): Promise<void> {
  const last = await db.orderTicketGroup.findFirstOrThrow({ orderBy: { orderTicketGroupId: 'desc' } });
  if (last.orderNo.length !== newNames().orderNo.length) throw new Error('the plain transaction was not used');
}

async function sellOut(url: string): Promise<void> {
  const sale = await aSale(FEW);
  const buy = throughTheApi(url, sale);
  const guests = await Promise.all(Array.from({ length: buyers }, () => createGuest(db)));
  let placed = 0;
  await Promise.all(
    guests.map(async (custId) => {
      while ((await buy(custId)) === 'placed') placed += 1;
    }),
  );
  const sold = await audit(sale);
  if (sold !== FEW || placed !== FEW) throw new Error(`of ${FEW} places ${sold} were sold and ${placed} confirmed`);
  print(`sold out: ${sold} of ${FEW} places, none twice`);
}

try {
  print(`${buyers} buyers, ${seconds} s each, one day each; PostgreSQL with fsync`);
  const functionSale = await aSale();
  const service = await run('createOrder, as a function', functionSale, asAFunction(functionSale));
  const bareSale = await aSale();
  const ceiling = await bareSql(bareSale);
  await audit(bareSale);
  print(`${'the same SQL by a bare pg loop: the ceiling'.padEnd(44)} ${ceiling.toFixed(0).padStart(6)} orders/s`);

  const plain = await withServer(['from-sources.ts', 'plain-server.ts'], async (url) => {
    const figures = await ofADay('a plain Prisma transaction, through GraphQL', url);
    await assertPlain();
    return figures;
  });
  const api = await withServer(['from-sources.ts'], async (url) => {
    const figures = await ofADay('createOrder, through GraphQL', url);
    await sellOut(url);
    return figures;
  });
  const free = await withServer(['from-sources.ts'], (url) => ofADay('createFreeOrder, through GraphQL', url, 0n));

  const times = (one: number, other: number) => (one / other).toFixed(2);
  print(`
GraphQL / plain transaction      ${times(api.perSecond, plain.perSecond)}   (wanted: 10)
free orders / plain transaction  ${times(free.perSecond, plain.perSecond)}   (wanted: 10)
function / plain transaction     ${times(service.perSecond, plain.perSecond)}
function / ceiling               ${times(service.perSecond, ceiling)}   (wanted: 0.5)
p99 of GraphQL / p50 of plain    ${times(api.p99, plain.p50)}   (wanted: below 1)`);
} finally {
  await stopServerProcess(server);
  await pool.end();
  await db.$disconnect();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
