import { randomUUID } from 'node:crypto';

import type { Log } from '../telemetry/log.ts';
import type { SharedRedis } from './redis.ts';
import { topicOf, write, type Message } from './message.ts';
import { keepConnected, pause, type Connection } from './postgres-connection.ts';

interface Needs {
  databaseUrl: string;
  redis: SharedRedis;
  /** Every channel that the database publishes on. */
  channels: readonly string[];
  log: Log;
}

const BEAT_MS = 1_000;
const RETRY_MS = 1_000;

/**
 * Publishes in Redis what PostgreSQL publishes. Any number may be open: one is active, and the others wait for its
 * lock, which is released when the active one dies or can't reach PostgreSQL or Redis.
 */
export function openEventRelay({ databaseUrl, redis, channels, log }: Needs): { stop(): Promise<void> } {
  return keepConnected({
    databaseUrl,
    log,
    name: 'event relay',
    async use(connection) {
      await election(connection, redis);
      if (connection.closed.signal.aborted) return;
      log.info('event relay: active');
      await relay(connection, { redis, channels });
    },
  });
}

/** Settles when this process is the relay, or its connection is closed. */
async function election(connection: Connection, redis: SharedRedis): Promise<void> {
  const { signal } = connection.closed;
  // A machine that loses its power closes no connection; this releases the lock within half a minute.
  await connection.query('SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3');
  while (!signal.aborted && !(redis.client.status === 'ready' && (await isElected(connection)))) {
    await pause(RETRY_MS, signal);
  }
}

async function isElected({ query }: Connection): Promise<boolean> {
  const rows = await query<{ elected: boolean }>(
    `SELECT pg_try_advisory_lock(hashtextextended('foyer.notice-relay', 0)) AS elected`,
  );
  return rows[0]?.elected === true;
}

async function relay(
  { query, onNotification, closed }: Connection,
  { redis, channels }: Pick<Needs, 'redis' | 'channels'>,
) {
  const name = randomUUID();
  let number = 0;
  const publish = (event?: Message['event']) => {
    const message = write({ relay: name, number, ...(event && { event }) });
    number += 1;
    // A message that could not be sent is a gap in the count; a process that can send it may become the relay.
    redis.client.publish(topicOf(redis), message).catch((error: unknown) => closed.abort(error));
  };
  onNotification((channel, payload) => publish({ channel, payload }));
  for (const channel of channels) await query(`LISTEN ${channel}`);
  publish(); // only now: a process that looks at the database after this misses nothing
  const beat = setInterval(publish, BEAT_MS).unref();
  closed.signal.addEventListener('abort', () => clearInterval(beat));
}
