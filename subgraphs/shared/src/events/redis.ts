import { setTimeout as sleep } from 'node:timers/promises';

import { Redis, type RedisOptions } from 'ioredis';

import { guarded } from '../telemetry/guarded.ts';
import type { Log } from '../telemetry/log.ts';

/**
 * Redis (or Valkey), as the whole process shares it. Nothing is true because it stands there: whoever asks has an
 * answer of their own for the time while it is away.
 */
export interface SharedRedis {
  /** For commands: while Redis is away they are refused at once, and none is ever sent twice. */
  client: Redis;
  /** How our keys and channels begin. Houses that share a server are told apart by the number of their database. */
  prefix: string;
  /** Listens on a connection of its own, again whenever that was lost; what is said meanwhile is missed. */
  listen(channel: string, hear: (message: string) => void): { stop(): void };
  /** @throws {Error} saying why it can't be reached */
  check(): Promise<void>;
  stop(): void;
}

const LONGEST_PAUSE_MS = 2_000;
const REFUSED_PAUSE_MS = 30_000;
const PROBE_MS = 1_000;

const options = {
  connectTimeout: 2_000,
  /** An answer that takes longer is worth nothing to whoever waits for it. */
  commandTimeout: 1_000,
  disableClientInfo: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  autoResubscribe: false,
  retryStrategy: (attempt) => Math.min(50 * 2 ** attempt, LONGEST_PAUSE_MS),
} satisfies RedisOptions;

/**
 * Opens it without waiting: a house starts without Redis, too.
 *
 * @param url `redis://` or `rediss://`, with user, password and number of the database where there are such
 */
export function openRedis({ url, log }: { url: string; log: Log }): SharedRedis {
  const client = kept(new Redis(url, options), log);
  const ears = new Set<Redis>();

  return {
    client,
    prefix: `foyer:${client.options.db ?? 0}:`,
    listen(channel, hear) {
      const ear = kept(client.duplicate(), log);
      ears.add(ear);
      ear.on(
        'message',
        guarded(log, 'hearing of a message', (_channel: string, message: string) => hear(message)),
      );
      ear.on('ready', () => {
        const { stream } = ear;
        // Where it is refused, as by an ACL without this channel, the connection is worth nothing; but asking again
        // at once would be refused at once. Where it was lost, there is another one by then.
        ear.subscribe(channel).catch(async (error: unknown) => {
          await sleep(REFUSED_PAUSE_MS, undefined, { ref: false });
          if (ear.stream === stream) lose(ear, log, error);
        });
      });
      return {
        stop() {
          ears.delete(ear);
          ear.disconnect();
        },
      };
    },
    async check() {
      await client.ping();
    },
    stop() {
      for (const connection of [client, ...ears]) connection.disconnect();
    },
  };
}

/** Says in the log when it is lost and found, and asks every second: a dead connection may look like a silent one. */
function kept(connection: Redis, log: Log): Redis {
  let said: string | undefined;
  const probe = setInterval(() => {
    if (connection.status === 'ready') connection.ping().catch((error: unknown) => lose(connection, log, error));
  }, PROBE_MS).unref();

  return connection
    .on('error', (error: Error) => {
      const reason = reasonOf(error);
      if (reason !== said) log.warn({ reason }, 'redis: not reached');
      said = reason;
    })
    .on('ready', () => {
      if (said !== undefined) log.info('redis: reached again');
      said = undefined;
    })
    .on('end', () => clearInterval(probe));
}

function lose(connection: Redis, log: Log, error: unknown): void {
  if (connection.status !== 'ready') return;
  log.warn({ reason: reasonOf(error) }, 'redis: the connection is given up');
  connection.disconnect(true);
}

/** Only the words: errors of this client carry the command that failed, and that may be the password. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
