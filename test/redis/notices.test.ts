import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startEmbeddedPostgres, type EmbeddedPostgres } from '@foyer/prisma/embedded';
import { openLog } from '@foyer/shared/log';
import { openNotices, type Notices } from '@foyer/shared/notices';
import { openNoticeRelay } from '@foyer/shared/notices/relay';
import { openRedis, type SharedRedis } from '@foyer/shared/redis';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { noRedis, startRedisServer, whyNoRedis, type RedisServer } from '../support/redis-server.ts';
import { until } from '../support/until.ts';

const log = openLog('silent');
const channels = ['news_of_orders', 'news_of_days'] as const;
const [orders, days] = channels;

let folder: string;
let postgres: EmbeddedPostgres;
let db: Client;
let redisServer: RedisServer | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-notices-'));
  postgres = await startEmbeddedPostgres(folder, { durable: false });
  db = new Client({ connectionString: postgres.url });
  await db.connect();
  if (!noRedis) redisServer = await startRedisServer();
});
afterAll(async () => {
  await redisServer?.stop();
  await db.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

const opened: { stop(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.stop();
});
function later<Opened extends { stop(): unknown }>(each: Opened): Opened {
  opened.push(each);
  return each;
}

const announce = (channel: string, payload: string) => db.query('SELECT pg_notify($1, $2)', [channel, payload]);

/** How many connections to the database do this for us now. */
async function sessions(query: string): Promise<number> {
  const text = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database() AND query LIKE $1`;
  return (await db.query<{ count: number }>(text, [query])).rows[0]?.count ?? 0;
}
const cut = (where: string) =>
  db.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND datname = current_database() AND ${where}`);
const ofTheRelay = `pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`;

/** What is heard on a channel, as it comes. */
function hearing(notices: Notices, channel: string) {
  const heard: (string | null)[] = [];
  const end = notices.on(channel, (payload) => heard.push(payload));
  return {
    heard,
    end,
    said: () => heard.filter((payload) => payload !== null),
    /** Waits to be told to look, again since the last time. */
    async toldToLook() {
      await until('being told to look', async () => heard.includes(null), { everyMs: 10 });
      heard.length = 0;
    },
    has: (payload: string) => until(`notice ${payload}`, async () => heard.includes(payload), { everyMs: 10 }),
  };
}

const aRedis = (): SharedRedis => later(openRedis({ url: redisServer?.url ?? '', log }));
const aRelay = (redis = aRedis()) => later(openNoticeRelay({ databaseUrl: postgres.url, redis, channels, log }));
const overRedis = (databaseUrl = postgres.url) => later(openNotices({ databaseUrl, redis: aRedis(), log }));

const implementations = [
  { name: 'PostgreSQL', skipped: false, open: () => later(openNotices({ databaseUrl: postgres.url, log })) },
  {
    name: `Redis${whyNoRedis}`,
    skipped: noRedis,
    open() {
      aRelay();
      return overRedis();
    },
  },
];

describe.for(implementations)('notices over $name', ({ skipped, open }) => {
  it.skipIf(skipped)('tell who tunes in to look, and then each notice, in the order of the commits', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    const numbers = Array.from({ length: 200 }, (_, number) => String(number));
    for (const number of numbers) await announce(orders, number);

    await listener.has('199');
    expect(listener.heard).toEqual(numbers);
  });

  it.skipIf(skipped)('reach every process, every listener, and only who listens to that channel', async () => {
    const notices = open();
    const all = [notices, notices, open()].map((each) => hearing(each, orders));
    const other = hearing(notices, days);
    for (const listener of [...all, other]) await listener.toldToLook();

    await announce(orders, 'A1');
    await announce(days, 'friday');

    for (const listener of all) await listener.has('A1');
    await other.has('friday');
    expect(other.said()).toEqual(['friday']);
    expect(all.map(({ said }) => said())).toEqual([['A1'], ['A1'], ['A1']]);
  });

  it.skipIf(skipped)('carry any payload whole', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    const payloads = ['', '"quoted" \\ and\nbroken', '票 🎫', 'x'.repeat(7_900)];
    for (const payload of payloads) await announce(orders, payload);

    await listener.has(payloads.at(-1) ?? '');
    expect(listener.heard).toEqual(payloads);
  });

  it.skipIf(skipped)('leave with the commit, and not without it', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    await db.query(`BEGIN; NOTIFY ${orders}, 'undone'; ROLLBACK; BEGIN; NOTIFY ${orders}, 'done'; COMMIT`);

    await listener.has('done');
    expect(listener.heard).toEqual(['done']);
  });

  it.skipIf(skipped)('tell of a channel that is tuned in to later, too', async () => {
    const notices = open();
    await hearing(notices, orders).toldToLook();

    const late = hearing(notices, days);
    await late.toldToLook();
    await announce(days, 'saturday');

    expect(await late.has('saturday')).toBe(true);
  });

  it.skipIf(skipped)('tell nothing to who has left', async () => {
    const notices = open();
    const [gone, here] = [hearing(notices, orders), hearing(notices, orders)];
    await here.toldToLook();
    gone.end();
    gone.heard.length = 0;

    await announce(orders, 'A2');

    await here.has('A2');
    expect(gone.heard).toEqual([]);
  });

  it.skipIf(skipped)('tell all to look when the connection to the database was lost, and go on', async () => {
    const listener = hearing(open(), orders);
    await listener.toldToLook();

    await cut(`(${ofTheRelay} OR query LIKE 'LISTEN%')`);
    await listener.toldToLook();

    await announce(orders, 'A3');
    expect(await listener.has('A3')).toBe(true);
  });
});

describe.skipIf(noRedis)(`the relay${whyNoRedis}`, () => {
  it('spares the other processes their connections to the database', async () => {
    aRelay();
    const all = Array.from({ length: 4 }, () => hearing(overRedis('postgresql://nobody@127.0.0.1:1/nowhere'), orders));
    for (const listener of all) await listener.toldToLook();

    await announce(orders, 'B1');

    for (const listener of all) await listener.has('B1');
    expect(await sessions('LISTEN%')).toBe(1);
  });

  it('is one, however many want to be it', async () => {
    for (let count = 0; count < 5; count += 1) aRelay();
    const listener = hearing(overRedis(), orders);
    await listener.toldToLook();
    await until('five to stand for election', async () => (await sessions('%')) >= 5);

    for (let number = 0; number < 50; number += 1) await announce(orders, `C${number}`);

    await listener.has('C49');
    expect(listener.said()).toHaveLength(50);
    expect(await sessions('LISTEN%')).toBe(1);
  });

  it('is taken over when it dies, and all are told to look', async () => {
    aRelay();
    aRelay();
    const listener = hearing(overRedis(), orders);
    await listener.toldToLook();

    await cut(ofTheRelay);
    await announce(orders, 'while nobody relays');
    await listener.toldToLook();
    await announce(orders, 'D1');

    expect(await listener.has('D1')).toBe(true);
  });

  it('leaves it to another when it is stopped', async () => {
    const first = openNoticeRelay({ databaseUrl: postgres.url, redis: aRedis(), channels, log });
    const listener = hearing(overRedis(), orders);
    await listener.toldToLook();
    aRelay();

    await first.stop();
    await listener.toldToLook();
    await announce(orders, 'E1');

    expect(await listener.has('E1')).toBe(true);
  });

  it('that can not reach Redis gives the lock to one that can', async () => {
    const cutOff = aRedis();
    aRelay(cutOff);
    const listener = hearing(overRedis(), orders);
    await listener.toldToLook();
    aRelay();

    cutOff.stop();
    await listener.toldToLook();
    await announce(orders, 'F1');

    expect(await listener.has('F1')).toBe(true);
  });
});

describe.skipIf(noRedis)(`notices over Redis${whyNoRedis}`, () => {
  it('tell all to look when one was lost on the way', async () => {
    const redis = aRedis();
    const listener = hearing(overRedis(), orders);
    const relay = (...message: unknown[]) =>
      redis.client.publish(`${redis.prefix}notices`, JSON.stringify(['the relay', ...message]));
    await until('somebody to hear the relay', async () => (await relay(7).catch(() => 0)) > 0);
    await listener.toldToLook();

    await relay(8, orders, 'next');
    await relay(10, orders, 'after a gap');

    await listener.has('after a gap');
    expect(listener.heard).toEqual(['next', null, 'after a gap']);
  });

  it('take no harm from what anybody else says there', async () => {
    const redis = aRedis();
    aRelay();
    const listener = hearing(overRedis(), orders);
    await listener.toldToLook();

    for (const rubbish of ['', '{', '[]', '["a"]', '["a",1,2,3]', '{"relay":1}', 'null'])
      await redis.client.publish(`${redis.prefix}notices`, rubbish);
    await announce(orders, 'H1');

    await listener.has('H1');
    expect(listener.heard).toEqual(['H1']);
  });

  it('of two houses are apart that share a server, by the numbers of their databases', async () => {
    aRelay();
    const other = later(openRedis({ url: `${redisServer?.url}/1`, log }));
    const listener = hearing(overRedis(), orders);
    await listener.toldToLook();

    await other.client.publish(`${other.prefix}notices`, JSON.stringify(['other', 0, orders, 'of another house']));
    await announce(orders, 'I1');

    await listener.has('I1');
    expect(listener.said()).toEqual(['I1']);
  });

  it('come from the database itself while Redis is away, and from Redis again when it is back', async () => {
    aRelay();
    const listener = hearing(overRedis(), orders);
    await listener.toldToLook();

    await redisServer?.kill();
    await listener.toldToLook();
    await announce(orders, 'J1');
    await listener.has('J1');
    expect(await sessions('LISTEN%')).toBeGreaterThan(0);

    await redisServer?.start();
    await listener.toldToLook();
    await until('one to listen to the database', async () => (await sessions('LISTEN%')) === 1);
    await announce(orders, 'J2');
    await listener.has('J2');
  });

  it('come from the database itself while Redis is there, but does not answer', async () => {
    aRelay();
    const listener = hearing(overRedis(), orders);
    await listener.toldToLook();

    redisServer?.freeze();
    await listener.toldToLook();
    await announce(orders, 'K1');
    expect(await listener.has('K1')).toBe(true);

    redisServer?.thaw();
    await listener.toldToLook();
  });

  it('come from the database itself while there is no relay', async () => {
    const listener = hearing(overRedis(), orders);
    await listener.toldToLook();
    await announce(orders, 'L1');
    expect(await listener.has('L1')).toBe(true);

    aRelay();
    await listener.toldToLook();
    await until('one to listen to the database', async () => (await sessions('LISTEN%')) === 1);
  });
});
