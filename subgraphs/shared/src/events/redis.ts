import { setTimeout as sleep } from 'node:timers/promises';

import { Redis, type RedisOptions } from 'ioredis';

import { guarded } from '../telemetry/guarded.ts';
import type { Log } from '../telemetry/log.ts';

/**
 * Redis (or Valkey), shared by the whole process. It is never the source of truth: each user of it has a fallback while
 * Redis is down.
 */
export interface SharedRedis {
  /** For commands: while Redis is down they are refused at once, and none is ever sent twice. */
  client: Redis;
  /** The prefix of our keys and channels. Installations that share a Redis server use databases of different numbers. */
  prefix: string;
  /** Subscribes on a connection of its own, again whenever that was lost; messages sent meanwhile are missed. */
  subscribe(channel: string, receive: (message: string) => void): { stop(): void };
  /** @throws {Error} that says why Redis can't be reached */
  check(): Promise<void>;
  stop(): void;
}

const LONGEST_PAUSE_MS = 2_000;
const REFUSED_PAUSE_MS = 30_000;
const PROBE_MS = 1_000;

const options = {
  connectTimeout: 2_000,
  /** An answer that takes longer is of no use to its caller. */
  commandTimeout: 1_000,
  disableClientInfo: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, LONGEST_PAUSE_MS),
} satisfies RedisOptions;

/**
 * Opens Redis without waiting for the connection: a server starts without Redis, too.
 *
 * @param url `redis://` or `rediss://`, with user, password and number of the database, if any
 */
export function openRedis({ url, log }: { url: string; log: Log }): SharedRedis {
  const client = watched(new Redis(url, options), log);
  const subscribers = new Set<Redis>();

  return {
    client,
    prefix: `foyer:${client.options.db ?? 0}:`,
    subscribe(channel, receive) {
      const subscriber = watched(client.duplicate(), log);
      subscribers.add(subscriber);
      subscriber.on(
        'message',
        guarded(log, 'receiving a message', (_channel: string, message: string) => receive(message)),
      );
      subscriber.on('ready', () => {
        const { stream } = subscriber;
        // When the subscription is refused, as by an ACL without this channel, the connection is useless; but a new
        // attempt would be refused at once. When the connection was lost, there is another one by then.
        subscriber.subscribe(channel).catch(async (error: unknown) => {
          await sleep(REFUSED_PAUSE_MS, undefined, { ref: false });
          if (subscriber.stream === stream) reconnect(subscriber, log, error);
        });
      });
      return {
        stop() {
          subscribers.delete(subscriber);
          subscriber.disconnect();
        },
      };
    },
    async check() {
      await client.ping();
    },
    stop() {
      for (const connection of [client, ...subscribers]) connection.disconnect();
    },
  };
}

/** Logs when the connection is lost and restored, and pings every second: a dead one may look like a silent one. */
function watched(connection: Redis, log: Log): Redis {
  let logged: string | undefined;
  const probe = setInterval(() => {
    if (connection.status === 'ready') connection.ping().catch((error: unknown) => reconnect(connection, log, error));
  }, PROBE_MS).unref();

  return connection
    .on('error', (error: Error) => {
      const reason = reasonOf(error);
      if (reason !== logged) log.warn({ reason }, 'redis: not reached');
      logged = reason;
    })
    .on('ready', () => {
      if (logged !== undefined) log.info('redis: reached again');
      logged = undefined;
    })
    .on('end', () => clearInterval(probe));
}

function reconnect(connection: Redis, log: Log, error: unknown): void {
  if (connection.status !== 'ready') return;
  log.warn({ reason: reasonOf(error) }, 'redis: the connection is given up');
  connection.disconnect(true);
}

/** Only the message: this client's errors carry the command that failed, and that may contain the password. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
