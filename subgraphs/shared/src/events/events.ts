import type { Log } from '../telemetry/log.ts';
import { postgresNotices } from './postgres-events.ts';
import { redisNotices } from './redis-events.ts';
import type { SharedRedis } from './redis.ts';

/** Hears what is said on a channel; null when something may have been missed. */
export type Listener = (payload: string | null) => void;

/** What the database tells processes (NOTIFY): at most once, and only while connected. */
export interface Notices {
  /**
   * Calls back for each notice on a channel; with null when some may have been missed, because the
   * connection was lost and found again, or the channel was only now tuned in to.
   *
   * @param channel a fixed name in lower case: it stands in SQL as it is
   * @returns what ends it
   */
  on(channel: string, listener: Listener): () => void;
  stop(): Promise<void>;
}

interface NoticesAt {
  databaseUrl: string;
  /** Where the relay announces them, so that this process need not hold a connection to the database for them. */
  redis?: SharedRedis | undefined;
  log: Log;
}

/** Straight from PostgreSQL; with Redis from there, and from PostgreSQL for as long as nothing comes from there. */
export function openNotices({ databaseUrl, redis, log }: NoticesAt): Notices {
  const fromPostgres = () => postgresNotices({ databaseUrl, log });
  return redis ? redisNotices({ redis, standIn: fromPostgres, log }) : fromPostgres();
}
