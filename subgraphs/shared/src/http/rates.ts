import { hash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

import type { Clock } from '../clock.ts';
import { lazy } from '../lazy.ts';
import type { Log } from '../telemetry/log.ts';
import type { SharedRedis } from '../events/redis.ts';

/** A rate limit per key, as a token bucket: the tokens of a minute may be used at once. */
export interface Rate {
  /** Takes a token from the bucket of a key. Returns 0, or the seconds to wait for the next. */
  take(who: string): number | Promise<number>;
}

interface RateAt {
  /** Its name in Redis. */
  name: string;
  /** 0 is no limit. */
  perMinute: number;
  /** Counts across all processes; without it, and while it is down, each counts for itself. */
  redis?: SharedRedis | undefined;
  clock: Clock;
  log: Log;
}

export function openRate({ name, perMinute, redis, clock, log }: RateAt): Rate {
  if (perMinute === 0) return { take: () => 0 };
  const own = ownRate(perMinute, clock);
  return redis ? sharedRate({ name, perMinute, redis, own, log }) : own;
}

const MINUTE_MS = 60_000;
const MINUTE_SECONDS = 60;
/** How many counters are kept; the least recently used is dropped first, and starts afresh. */
const REMEMBERED = 50_000;

/** Counted in this process; bounded in memory, however many callers there are. */
function ownRate(perMinute: number, clock: Clock): Rate {
  let buckets: LRUCache<string, { left: number; atMs: number }> | undefined;
  return {
    take(who) {
      buckets ??= new LRUCache({ max: REMEMBERED }); // two megabytes each, and most are never used
      const now = clock.now().getTime();
      const { left, atMs } = buckets.get(who) ?? { left: perMinute, atMs: now };
      const passed = Math.max(0, now - atMs); // the clock may have been set back
      const filled = Math.min(perMinute, left + (passed / MINUTE_MS) * perMinute);
      const isRefused = filled < 1;
      buckets.set(who, { left: isRefused ? filled : filled - 1, atMs: now });
      return isRefused ? seconds(((1 - filled) / perMinute) * MINUTE_MS) : 0;
    },
  };
}

/** The same by Redis' clock, with the library's terms: the used count, the refusal of one too many, and the wait. */
const TAKE = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local most = tonumber(ARGV[3])
  local kept = redis.call('HMGET', KEYS[1], 'left', 'at')
  local left, at = tonumber(kept[1] or most), tonumber(kept[2] or now)
  local filled = math.min(most, left + math.max(0, now - at) / ${MINUTE_MS} * most)
  local refused = filled < 1
  redis.call('HSET', KEYS[1], 'left', refused and filled or filled - 1, 'at', now)
  redis.call('PEXPIRE', KEYS[1], ${MINUTE_MS})
  if refused then return { most + 1, math.ceil((1 - filled) / most * ${MINUTE_MS}) } end
  return { most - filled + 1, 0 }`;

interface Shared extends Required<Pick<RateAt, 'name' | 'perMinute' | 'log'>> {
  redis: SharedRedis;
  own: Rate;
}

function sharedRate({ name, perMinute, redis, own, log }: Shared): Rate {
  const counting = lazy(async () => {
    const { RateLimiterRedis, RateLimiterRes } = await import('rate-limiter-flexible');
    const limiter = new RateLimiterRedis({
      storeClient: redis.client,
      keyPrefix: `${redis.prefix}rate:${name}`,
      points: perMinute,
      duration: MINUTE_SECONDS,
      rejectIfRedisNotReady: true,
      customIncrTtlLuaScript: TAKE,
    });
    return { limiter, RateLimiterRes };
  });
  let alone = false;
  function note(isAlone: boolean, error?: unknown) {
    if (alone === isAlone) return;
    alone = isAlone;
    const reason = error instanceof Error ? error.message : undefined;
    log.warn({ rate: name, reason }, alone ? 'rates: counted by this process alone' : 'rates: counted together again');
  }
  return {
    async take(who) {
      const { limiter, RateLimiterRes } = await counting();
      try {
        // Hashed, so that neither addresses nor viewers are stored in Redis.
        await limiter.consume(hash('sha256', who, 'base64url'));
        note(false);
        return 0;
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return seconds(refused.msBeforeNext);
        note(true, refused);
        return own.take(who);
      }
    },
  };
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));
