import { createTestDatabase } from '@foyer/prisma/testing/test-database';
import { openLog } from '@foyer/shared/telemetry/log';
import { openEvents, type Events } from '@foyer/shared/events/events';
import { openEventRelay } from '@foyer/shared/events/relay';
import { openRedis, type SharedRedis } from '@foyer/shared/events/redis';
import { Client } from 'pg';

import { noRedis, startRedisServer } from './servers/redis-server.ts';
import { until } from './until.ts';

const log = openLog('silent');
const channels = ['news_of_orders', 'news_of_days'] as const;
export const [orders, days] = channels;

export type EventListeners = Awaited<ReturnType<typeof startEventListeners>>;

/** A database that announces, a Redis where there is one, and processes that listen, of which `leave` stops all. */
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
    /** One of those who may relay what the database announces. */
    aRelay: (redis = aRedis()) => later(openEventRelay({ databaseUrl, redis, channels, log })),
    overPostgres: () => later(openEvents({ databaseUrl, log })),
    overRedis: (url = databaseUrl) => later(openEvents({ databaseUrl: url, redis: aRedis(), log })),
    announce: (channel: string, payload: string) => db.query('SELECT pg_notify($1, $2)', [channel, payload]),
    /** How many of our connections to the database did this last. */
    async sessions(query: string): Promise<number> {
      const text = `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND datname = current_database() AND query LIKE $1`;
      return (await db.query<{ count: number }>(text, [query])).rows[0]?.count ?? 0;
    },
    /** Ends those of our connections. */
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

/** Connections that listen, and the one whose turn it is to relay. */
export const listening = `query LIKE 'LISTEN%'`;
export const ofTheRelay = `pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`;

/** What is heard on a channel, as it comes. */
export function hearing(events: Events, channel: string) {
  const heard: (string | null)[] = [];
  const end = events.subscribe(channel, (payload) => heard.push(payload));
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
