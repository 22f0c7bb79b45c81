import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import { LRUCache } from 'lru-cache';

/** Takes one from somebody's allowance. */
export interface Rate {
  /** @throws {Refusal} `TOO_MANY_REQUESTS`, with the seconds to wait as `retryAfter` */
  take(who: string): void;
}

interface Bucket {
  left: number;
  atMs: number;
}

/** How many are remembered; who has been away longest is forgotten first, and starts afresh. */
const REMEMBERED = 100_000;

/** An allowance for each, which fills up evenly: a minute's worth may be used at once. 0 is no limit. */
export function rate(perMinute: number, clock: Clock): Rate {
  const buckets = new LRUCache<string, Bucket>({ max: REMEMBERED });

  return {
    take(who) {
      if (perMinute === 0) return;
      const now = clock.now().getTime();
      const { left, atMs } = buckets.get(who) ?? { left: perMinute, atMs: now };
      const filled = Math.min(perMinute, left + ((now - atMs) / 60_000) * perMinute);
      if (filled < 1) throw tooMany(Math.ceil(((1 - filled) / perMinute) * 60));
      buckets.set(who, { left: filled - 1, atMs: now });
    },
  };
}

const tooMany = (retryAfter: number) =>
  new Refusal('RATE_LIMITED', 'TOO_MANY_REQUESTS', 'Too many requests: wait a little.', { retryAfter });
