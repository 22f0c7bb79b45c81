import { systemClock } from '@foyer/shared/clock';
import { openLog } from '@foyer/shared/telemetry/log';
import { openRate } from '@foyer/shared/http/rates';
import { openRedis, type SharedRedis } from '@foyer/shared/events/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { noRedis, startRedisServer, whyNoRedis, type RedisServer } from '../support/servers/redis-server.ts';
import { until } from '../support/until.ts';

const log = openLog('silent');
let server: RedisServer | undefined;
const opened: SharedRedis[] = [];

beforeAll(async () => {
  if (!noRedis) server = await startRedisServer();
});
afterAll(async () => {
  for (const redis of opened) redis.stop();
  await server?.stop();
});

/** Opens each as another process does. */
function aRedis(): SharedRedis {
  const redis = openRedis({ url: server?.url ?? '', log });
  opened.push(redis);
  return redis;
}
const ready = (redis: SharedRedis) => until('Redis', async () => redis.client.status === 'ready', { everyMs: 10 });

let names = 0;
/** A limit in two processes, which count together if they can. */
async function anywhere(perMinute: number, { redis }: { redis: boolean }) {
  const name = `rate-${(names += 1)}`;
  return Promise.all(
    [1, 2].map(async () => {
      if (!redis) return openRate({ name, perMinute, clock: systemClock, log });
      const own = aRedis();
      await ready(own);
      return openRate({ name, perMinute, redis: own, clock: systemClock, log });
    }),
  );
}

/** Takes so many at the same time. */
const takes = (count: number, take: (at: number) => number | Promise<number> | undefined) =>
  Promise.all(Array.from({ length: count }, async (_, at) => (await take(at)) ?? 0));
const through = (waits: readonly number[]) => waits.filter((seconds) => seconds === 0).length;

const implementations = [
  { name: 'in the process', skipped: false, redis: false },
  { name: `in Redis${whyNoRedis}`, skipped: noRedis, redis: true },
];

describe.for(implementations)('a limit that is counted $name', ({ skipped, redis }) => {
  it.skipIf(skipped)('lets exactly the tokens of a minute through at once', async () => {
    const [rate] = await anywhere(30, { redis });
    const waits = await takes(50, () => rate?.take('somebody'));
    expect(through(waits)).toBe(30);
  });

  it.skipIf(skipped)('says how long to wait for the next, and keeps to it', async () => {
    const [rate] = await anywhere(30, { redis });
    const waits = await takes(40, () => rate?.take('somebody'));
    expect(waits.filter((seconds) => seconds > 0 && seconds <= 2)).toHaveLength(10);

    await until('the next', async () => (await rate?.take('somebody')) === 0, { timeoutMs: 5_000 });
  });

  it.skipIf(skipped)('counts each key separately', async () => {
    const [rate] = await anywhere(1, { redis });
    expect([await rate?.take('one'), await rate?.take('two')]).toEqual([0, 0]);
    expect(await rate?.take('one')).toBeGreaterThan(0);
  });

  it.skipIf(skipped)('is off when it is 0', async () => {
    const [rate] = await anywhere(0, { redis });
    const waits = await takes(100, () => rate?.take('somebody'));
    expect(through(waits)).toBe(100);
  });
});

describe('a limit that is counted in the process', () => {
  it('keeps at most fifty thousand counters, and drops the least recently used', async () => {
    const rate = openRate({ name: 'bounded', perMinute: 1, clock: systemClock, log });
    await rate.take('the first');
    expect(await rate.take('the first')).toBeGreaterThan(0);

    for (let number = 0; number < 50_000; number += 1) await rate.take(`another ${number}`);

    expect(await rate.take('the first')).toBe(0);
  });
});

describe.skipIf(noRedis)(`processes that share Redis${whyNoRedis}`, () => {
  it('count together: of forty at once at two of them exactly five get through', async () => {
    const [one, two] = await anywhere(5, { redis: true });
    const waits = await takes(40, (at) => (at % 2 ? one : two)?.take('192.0.2.1'));
    expect(through(waits)).toBe(5);
  });

  it('store only hashes in Redis, for at most a minute', async () => {
    const [rate] = await anywhere(5, { redis: true });
    await rate?.take('192.0.2.77');
    const redis = aRedis();
    await ready(redis);

    const keys = await redis.client.keys('*');
    const lifetimes = await Promise.all(keys.map((key) => redis.client.pttl(key)));

    expect(keys.join()).not.toContain('192.0.2');
    for (const lifetime of lifetimes) {
      expect(lifetime).toBeGreaterThan(0);
      expect(lifetime).toBeLessThanOrEqual(60_000);
    }
  });

  it.each([
    ['has died', () => server?.kill(), () => server?.start()],
    ['does not answer', () => server?.freeze(), () => server?.thaw()],
  ])('count separately while it %s: neither closed nor unlimited', async (_, away, back) => {
    const processes = await anywhere(5, { redis: true });
    await away();

    for (const process of processes) {
      const waits = await takes(20, () => process.take('192.0.2.2'));
      expect(through(waits)).toBe(5);
    }

    await back();
    const together = await until('both to count together again', async () => {
      const who = `somebody-${(names += 1)}`;
      return through(await takes(20, (at) => processes[at % 2]?.take(who))) === 5;
    });
    expect(together).toBe(true);
  });
});
