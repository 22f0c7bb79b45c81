import { setTimeout as sleep } from 'node:timers/promises';

import { openDatabase } from '@foyer/prisma/client';
import { systemClock } from '@foyer/shared/clock';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { openCheckout } from '../testing/checkout.ts';
import { startScratchServer, type ScratchDatabase } from '../testing/scratch-database.ts';
import { nextWeek, createGuest, createTicketGroupOnSale } from '../testing/storefront-fixture.ts';

let scratch: ScratchDatabase;
/** Another connection to the same database. */
let admin: ReturnType<typeof openDatabase>;
let decisions: ReturnType<typeof openCheckout>;
/** The connections of the server, with a setting that delays commits. */
let db: ReturnType<typeof openDatabase>;

beforeAll(async () => {
  scratch = await startScratchServer();
  admin = openDatabase(scratch.url.replace(/foyer$/, 'postgres'));
  await admin.$executeRawUnsafe('ALTER DATABASE foyer SET synchronous_commit = on');
  db = openDatabase(scratch.url);
  decisions = openCheckout({ db, clock: systemClock });
}, 60_000);
afterAll(async () => {
  await releaseCommits();
  await Promise.all([admin.$disconnect(), db.$disconnect()]);
  await scratch.stop();
});

/** From now on, the answer to a commit waits for a replica that does not exist. */
async function holdBackCommits() {
  await admin.$executeRawUnsafe(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`);
  await reload('nobody');
}
async function releaseCommits() {
  await admin.$executeRawUnsafe('ALTER SYSTEM RESET synchronous_standby_names');
  await reload('');
}
async function reload(expected: string) {
  await admin.$queryRaw`SELECT pg_reload_conf()`;
  await vi.waitFor(async () => {
    const [row] = await admin.$queryRaw<{ now: string }[]>`SELECT current_setting('synchronous_standby_names') AS now`;
    expect(row?.now).toBe(expected);
  });
}

/** Cuts the connections whose commit waits. */
const cut = () =>
  vi.waitFor(
    async () => {
      const gone = await admin.$queryRaw<unknown[]>`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
      expect(gone.length).toBeGreaterThan(0);
    },
    { timeout: 20_000 },
  );

/** A connection that was requested just before may still come in. */
async function nobodyIsOnTheWayIn() {
  const inside = async () =>
    (await admin.$queryRaw<unknown[]>`SELECT 1 FROM pg_stat_activity WHERE datname = 'foyer'`).length;
  await vi.waitFor(
    async () => {
      const before = await inside();
      await sleep(300);
      expect(await inside()).toBe(before);
    },
    { timeout: 10_000 },
  );
}

async function aHotDay(dailyCapacity = 100) {
  const { ticketGroupId, itemId } = await createTicketGroupOnSale(scratch.db, { dailyCapacity });
  const custId = await createGuest(scratch.db);
  const input = {
    ticketGroupId,
    custId,
    admitDate: nextWeek(),
    buyerName: 'Siti',
    buyerEmail: 'siti@example.my',
    items: [{ itemId, quantityBought: 1 }],
  };
  await decisions.createOrder(input); // the day is there, and the connections are open
  return {
    input,
    books: async () => {
      const where = { ticketGroupId: BigInt(ticketGroupId) };
      const { reserved } = await scratch.db.dailyCapacity.findFirstOrThrow({ where });
      return { reserved, orders: await scratch.db.orderTicketGroup.count({ where }) };
    },
  };
}

describe('when the connection is cut after the commit and before its answer', () => {
  it('the buyer gets the order that was placed, and no other is', async () => {
    const { input, books } = await aHotDay();
    await holdBackCommits();
    const ordering = decisions.createOrder(input);
    await cut();
    await releaseCommits();

    const { orderNo } = await ordering;

    expect(await scratch.db.orderTicketGroup.count({ where: { orderNo } })).toBe(1);
    expect(await books()).toEqual({ reserved: 2, orders: 2 });
  });

  it.each([
    ['', 100],
    [', also when these are the last places', 13],
  ])('each of many who ordered together gets one order%s', async (_what, capacity) => {
    const { input, books } = await aHotDay(capacity);
    await holdBackCommits();
    const ordering = Array.from({ length: 12 }, () => decisions.createOrder(input));
    await cut();
    await releaseCommits();

    const numbers = (await Promise.all(ordering)).map(({ orderNo }) => orderNo);

    expect(new Set(numbers).size).toBe(12);
    expect(await books()).toEqual({ reserved: 13, orders: 13 });
  });

  it('and the database stays away: the buyer gets 503, and the same request later gives the order, once', async () => {
    const { input, books } = await aHotDay();
    await holdBackCommits();
    const ordering = decisions.createOrder(input, 'once').catch((error: unknown) => error);
    await vi.waitFor(async () => {
      const waiting = await admin.$queryRaw<unknown[]>`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
      expect(waiting.length).toBeGreaterThan(0);
    });
    await admin.$executeRawUnsafe('ALTER DATABASE foyer ALLOW_CONNECTIONS false');
    await nobodyIsOnTheWayIn();
    await admin.$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'foyer'`;

    expect(await ordering).toMatchObject({
      reason: 'ORDER_UNCERTAIN',
      extensions: { code: 'UPSTREAM_UNAVAILABLE', outcome: 'UNKNOWN' },
    });
    await admin.$executeRawUnsafe('ALTER DATABASE foyer ALLOW_CONNECTIONS true');
    await releaseCommits();
    const again = await decisions.createOrder(input, 'once');

    expect(await books()).toEqual({ reserved: 2, orders: 2 });
    expect(again.idempotencyKey).toBe('once');
  });
});
