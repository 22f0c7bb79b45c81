import type { Log } from '../telemetry/log.ts';
import { postgresEvents } from './postgres-events.ts';
import { redisEvents } from './redis-events.ts';
import type { SharedRedis } from './redis.ts';

/** Receives the payload of an event; null when events may have been missed. */
export type Listener = (payload: string | null) => void;

/**
 * Events that PostgreSQL publishes (NOTIFY, mostly from triggers): delivered at most once, and only while connected.
 * They are published in SQL, so that they leave with the commit or not at all.
 */
export interface Events {
  /**
   * Calls the listener for each event on a channel. It is called with null when some may have been missed: after the
   * connection was lost and restored, and when this process first subscribes to the channel.
   *
   * @param channel a fixed name in lower case: it is put into SQL as it is
   * @returns a function that ends the subscription
   */
  subscribe(channel: string, listener: Listener): () => void;
  stop(): Promise<void>;
}

interface EventsOptions {
  databaseUrl: string;
  /** Where the relay publishes the events, so that this process needs no database connection for them. */
  redis?: SharedRedis | undefined;
  log: Log;
}

/** Opens the events: from PostgreSQL, or with Redis from the relay, and from PostgreSQL while the relay is silent. */
export function openEvents({ databaseUrl, redis, log }: EventsOptions): Events {
  const fromPostgres = () => postgresEvents({ databaseUrl, log });
  return redis ? redisEvents({ redis, openFallback: fromPostgres, log }) : fromPostgres();
}
