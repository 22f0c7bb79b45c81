/**
 * The orders per second of one hot day, in one run on one durable database:
 *
 *     pnpm bench:orders [--seconds 4] [--rounds 3] [--buyers 50] [--quiet | --busy]
 *
 * 1. our use case called as a function;
 * 2. the ceiling: the same SQL function, in batches of as many orders, by a bare `pg` loop;
 * 3. the mutation `createOrder` through the public API of a real server;
 * 4. the same mutation through the same API, and behind it what a team would write first: an interactive Prisma
 *    transaction with SELECT … FOR UPDATE;
 * 5. the mutation `createFreeOrder`: the order, its signed tickets, its mail and what staff is told;
 * 6. the same mutation, and behind it such a transaction that writes all of that;
 * 7. `{ __typename }` through the same API: what a request costs that does nothing.
 *
 * Each has a day of its own, and they take turns in rounds; a quotient is the median of those of the rounds. After each, the
 * reserved places must equal the ordered ones and be within the capacity. At the end a day with few places is sold out by
 * all buyers at once. It ends with 1 when a target is missed. The API must reach ten times the plain transactions: fifteen times
 * with `--quiet`, for a machine that does nothing else, eight times with `--busy`, which runs two busy loops meanwhile. Always it
 * must reach half of the ceiling, the function 0.7 of it, and 99 of 100 orders must be faster than the median of the plain ones.
 *
 * "The most it could be" is reckoned: orders that take a request that does nothing, and then the function. All that the API reads,
 * checks and answers of an order would be free.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openDatabase } from '@foyer/prisma/client';
import { startEmbeddedPostgres } from '@foyer/prisma/embedded';
import { deployMigrations } from '@foyer/prisma/migrate';
import { createGuest } from '@foyer/ticketing/testing/storefront-fixture';
import { Pool } from 'pg';
import { Pool as Connections } from 'undici';

import { stopServerProcess, startServerProcess } from '../support/servers/server-process.ts';
import {
  asAFunction,
  askingNothing,
  audit,
  byBareSql,
  byBuyers,
  putOnSale,
  throughTheApi,
  type Books,
  type Figures,
  type Sale,
} from './orders/buyers.ts';
import { newNames } from './orders/names.ts';
import { median } from './median.ts';
import { print } from './print.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    buyers: { type: 'string', default: '50' },
    quiet: { type: 'boolean', default: false },
    busy: { type: 'boolean', default: false },
  },
});
const [seconds, rounds, buyers] = [Number(values.seconds), Number(values.rounds), Number(values.buyers)];

/** How many times the plain transaction the API must reach. */
const WANTED = values.busy ? 8 : values.quiet ? 15 : 10;
const CAPACITY = 1_000_000;
const FEW = 300;
const PRICE_SEN = 50_00n;
/** Before the first round, and before each other. */
const WARM_SECONDS = [3, 1] as const;

const ways = {
  function: 'createOrder, as a function',
  ceiling: 'the same SQL by a bare pg loop: the ceiling',
  api: 'createOrder, through GraphQL',
  plain: 'a plain transaction, through GraphQL',
  free: 'createFreeOrder, through GraphQL',
  plainFree: 'a plain free order, through GraphQL',
  nothing: '{ __typename }, through GraphQL',
} as const;
type Way = keyof typeof ways;

interface Attempt {
  sale: Sale;
  measure(warmSeconds: number, seconds: number): Promise<Figures>;
}

async function attemptsAt(books: Books, connections: Connections): Promise<Record<Way, Attempt>> {
  const guests = await Promise.all(Array.from({ length: buyers }, () => createGuest(books.db)));
  const sell = (price: bigint) => putOnSale(books.db, CAPACITY, price);
  const overApi = async (way: 'ours' | 'plain', price: bigint): Promise<Attempt> => {
    const sale = await sell(price);
    return { sale, measure: byBuyers(guests, throughTheApi(connections, sale, way)) };
  };
  const [called, bare] = [await sell(PRICE_SEN), await sell(PRICE_SEN)];
  return {
    function: { sale: called, measure: byBuyers(guests, asAFunction(books, called)) },
    ceiling: { sale: bare, measure: await byBareSql(books, bare, buyers) },
    api: await overApi('ours', PRICE_SEN),
    plain: await overApi('plain', PRICE_SEN),
    free: await overApi('ours', 0n),
    plainFree: await overApi('plain', 0n),
    nothing: { sale: called, measure: byBuyers(guests, askingNothing(connections)) },
  };
}

/** Drops the mails of free orders, which would be sent during the next measurement. @returns how many were sent meanwhile */
async function dropMails({ pool }: Books): Promise<number> {
  await pool.query(`DELETE FROM pgboss.job WHERE name = 'ticketing.send-confirmation' AND state <> 'active'`);
  const { rowCount } = await pool.query(`DELETE FROM ticketing.delivery WHERE state = 'SENT'`);
  await pool.query(`DELETE FROM ticketing.delivery WHERE state = 'QUEUED'`); // waits for the one that is being sent
  return rowCount ?? 0;
}

/** @throws when the last order was not written by the plain transaction: Foyer would be compared with itself */
async function assertPlain({ db }: Books): Promise<void> {
  const last = await db.orderTicketGroup.findFirstOrThrow({ orderBy: { orderTicketGroupId: 'desc' } });
  if (last.orderNo.length !== newNames().orderNo.length) throw new Error('the plain transaction was not used');
}

async function run(books: Books, way: Way, { sale, measure }: Attempt, round: number): Promise<Figures> {
  const figures = await measure(WARM_SECONDS[round === 0 ? 0 : 1], seconds);
  if (way.startsWith('plain')) await assertPlain(books);
  await audit(books, sale);
  const sent = sale.unitPrice === 0 ? await dropMails(books) : 0;
  const { perSecond, p50, p99 } = figures;
  const times = p99 && `p50 ${p50.toFixed(1).padStart(7)} ms   p99 ${p99.toFixed(1).padStart(7)} ms`;
  const mails = sent && `${sent} mails sent meanwhile`;
  print(
    [ways[way].padEnd(44), `${perSecond.toFixed(0).padStart(6)} a second`, times, mails].filter(Boolean).join('   '),
  );
  return figures;
}

async function sellOut(books: Books, connections: Connections): Promise<void> {
  const sale = await putOnSale(books.db, FEW, PRICE_SEN);
  const buy = throughTheApi(connections, sale, 'ours');
  const guests = await Promise.all(Array.from({ length: buyers }, () => createGuest(books.db)));
  let placed = 0;
  await Promise.all(
    guests.map(async (custId) => {
      while ((await buy(custId)) === 'placed') placed += 1;
    }),
  );
  const sold = await audit(books, sale);
  if (sold !== FEW || placed !== FEW) throw new Error(`of ${FEW} places ${sold} were sold and ${placed} confirmed`);
  print(`sold out: ${sold} of ${FEW} places, none twice`);
}

type Round = Record<Way, Figures>;

/** How many times the other way orders were placed if each took a request that does nothing, and then the function. */
const mostOf = (all: readonly Round[], other: Way) =>
  median(all.map((each) => 1 / (1 / each.nothing.perSecond + 1 / each.function.perSecond) / each[other].perSecond));

/** Prints the quotients beside what is wanted. @returns whether all of it is reached */
function judge(all: readonly Round[]): boolean {
  const ofRounds = (one: Way, other: Way) => median(all.map((each) => each[one].perSecond / each[other].perSecond));
  const slowest = median(all.map(({ api, plain }) => api.p99 / plain.p50));
  const rows: { name: string; quotient: number; least?: number; most?: number }[] = [
    { name: 'GraphQL / plain transaction', quotient: ofRounds('api', 'plain'), least: WANTED },
    { name: 'the most it could be / plain transaction', quotient: mostOf(all, 'plain') },
    {
      name: 'free orders / plain transaction with all they write',
      quotient: ofRounds('free', 'plainFree'),
      least: WANTED,
    },
    { name: 'free orders / plain transaction of a paid order', quotient: ofRounds('free', 'plain') },
    { name: 'GraphQL / ceiling', quotient: ofRounds('api', 'ceiling'), least: 0.5 },
    { name: 'the most it could be / ceiling', quotient: mostOf(all, 'ceiling') },
    { name: 'function / ceiling', quotient: ofRounds('function', 'ceiling'), least: 0.7 },
    { name: 'p99 of GraphQL / p50 of plain', quotient: slowest, most: 1 },
  ];
  print();
  const reached = rows.map(({ name, quotient, least = -Infinity, most = Infinity }) => {
    const isReached = quotient >= least && quotient <= most;
    const wanted = Number.isFinite(least) ? `at least ${least}` : Number.isFinite(most) && `at most ${most}`;
    const cells = [name.padEnd(52), quotient.toFixed(2).padStart(6), wanted && `wanted: ${wanted}`];
    print([...cells, !isReached && 'MISSED'].filter(Boolean).join('   '));
    return isReached;
  });
  return reached.every(Boolean);
}

const serverAt = (databaseUrl: string) =>
  startServerProcess(
    {
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      GRAPHQL_REQUESTS_PER_ADDRESS: '0',
      SEED_DEMO: 'false',
      NODE_OPTIONS: ['from-sources.ts', 'orders/plain-server.ts']
        .map((file) => `--import ${join(import.meta.dirname, file)}`)
        .join(' '),
    },
    'single',
  );

const folder = await mkdtemp(join(tmpdir(), 'foyer-bench-'));
const postgres = await startEmbeddedPostgres(folder);
await deployMigrations(postgres.url);
const books = { db: openDatabase(postgres.url), pool: new Pool({ connectionString: postgres.url, max: 8 }) };
books.pool.on('error', () => undefined); // at the end the server may be gone before a connection is
const server = await serverAt(postgres.url);
const busy: ChildProcess[] = values.busy ? [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'])) : [];
const connections = new Connections(server.url, { connections: buyers, pipelining: 1 });

try {
  const attempts = await attemptsAt(books, connections);
  const load = () =>
    loadavg()
      .map((each) => each.toFixed(1))
      .join(', ');
  print(`${buyers} buyers, ${rounds} rounds of ${seconds} s, one day each; PostgreSQL with fsync; load ${load()}`);
  const all: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    print(`round ${round + 1}`);
    const figures = {} as Round;
    for (const way of Object.keys(ways) as Way[]) figures[way] = await run(books, way, attempts[way], round);
    all.push(figures);
  }
  await sellOut(books, connections);
  if (!judge(all)) process.exitCode = 1;
  print(`load ${load()}`);
} finally {
  for (const each of busy) each.kill();
  await connections.destroy();
  await stopServerProcess(server);
  await books.pool.end();
  await books.db.$disconnect();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
