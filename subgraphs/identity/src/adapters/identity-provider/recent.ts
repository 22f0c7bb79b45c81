import { setTimeout as sleep } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';

/** The provider's searches lag behind its writes, so we repeat a search for what we created this recently. */
const LAG_MS = 5_000;
const ATTEMPTS = 3;
const PAUSE_MS = 200;
const LIMIT = 1_000;

export function recentlyMade() {
  const names = new LRUCache<string, true>({ max: LIMIT, ttl: LAG_MS });

  return {
    add(...made: readonly string[]) {
      for (const name of made) names.set(name.toLowerCase(), true);
    },
    /** Searches, and repeats while it finds nothing that was created within the last five seconds. */
    async search<Found>(name: string, search: () => Promise<readonly Found[]>): Promise<readonly Found[]> {
      let found = await search();
      for (let attempt = 0; found.length === 0 && attempt < ATTEMPTS && names.has(name.toLowerCase()); attempt++) {
        await sleep(PAUSE_MS);
        found = await search();
      }
      return found;
    },
  };
}
