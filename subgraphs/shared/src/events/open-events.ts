import type { Log } from '../telemetry/log.ts';
import type { Events } from './events.ts';
import { postgresEvents } from './postgres-events.ts';
import { redisEvents } from './redis-events.ts';
import type { SharedRedis } from './redis.ts';

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
