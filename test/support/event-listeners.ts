import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { openLog } from '@foyer/shared/telemetry/log';
import { openEvents } from '@foyer/shared/events/open-events';
import type { Events } from '@foyer/shared/events/events';
import { openEventRelay } from '@foyer/shared/events/relay';
import { openRedis, type SharedRedis } from '@foyer/shared/events/redis';
import { Client } from 'pg';

import { noRedis, startRedisServer } from './servers/redis-server.ts';
import { until } from './until.ts';

const log = openLog('silent');
const channels = ['order_events', 'day_events'] as const;
export const [orders, days] = channels;

export type EventListeners = Awaited<ReturnType<typeof startEventListeners>>;

/** Starts a database that notifies, a Redis where there is one, and processes that listen; `leave` stops them all. */
export async function startEventListeners() {
  const database = await createTestDatabase();
  const redisServer = noRedis ? undefined : await startRedisServer();
  const databaseUrl = database.url;
  const db = new Client({ connectionString: databaseUrl });
  await db.connect();

  const opened: { stop(): unknown }[] = [];
  function later<Opened extends { stop(): unknown }>(each: Opened): Opened {
    opened.push(each);
    return each;
  }
  const leave = async () => {
    for (const each of opened.splice(0).toReversed()) await each.stop();
  };
  const aRedis = (number = 0): SharedRedis => later(openRedis({ url: `${redisServer?.url}/${number}`, log }));

  return {
    db,
    redisServer,
    aRedis,
    /** A process that may relay the notifications of the database. */
    aRelay: (redis = aRedis()) => later(openEventRelay({ databaseUrl, redis, channels, log })),
    overPostgres: () => later(openEvents({ databaseUrl, log })),
    overRedis: (url = databaseUrl) => later(openEvents({ databaseUrl: url, redis: aRedis(), log })),
    notify: (channel: string, payload: string) => db.query('SELECT pg_notify($1, $2)', [channel, payload]),
    /** The number of our connections whose last statement is like `query`. */
    async sessions(query: string): Promise<number> {
      const text = `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND datname = current_database() AND query LIKE $1`;
      return (await db.query<{ count: number }>(text, [query])).rows[0]?.count ?? 0;
    },
    /** Ends our connections that match the condition. */
    cut: (where: string) =>
      db.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND datname = current_database() AND (${where})`),
    leave,
    async close() {
      await leave();
      await redisServer?.stop();
      await db.end();
      await database.drop();
    },
  };
}

/** SQL conditions for connections that listen, and for that of the active relay. */
export const listening = `query LIKE 'LISTEN%'`;
export const ofTheRelay = `pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`;

/** Collects the events of a channel as they come. */
export function hearing(events: Events, channel: string) {
  const heard: (string | null)[] = [];
  const end = events.subscribe(channel, (payload) => heard.push(payload));
  return {
    heard,
    end,
    said: () => heard.filter((payload) => payload !== null),
    /** Waits for the next message that says to look again. */
    async toldToLook() {
      await until('a message to look again', async () => heard.includes(null), { everyMs: 10 });
      heard.length = 0;
    },
    has: (payload: string) => until(`event ${payload}`, async () => heard.includes(payload), { everyMs: 10 }),
  };
}
