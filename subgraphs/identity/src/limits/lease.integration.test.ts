import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { withLease } from './lease.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});
afterEach(() => vi.useRealTimers());
afterAll(() => identity.stop());

const clockDiffersBy = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
const attempts = () => identity.queries.filter((sql) => sql.includes('INSERT INTO auth.rate_limits')).length;

describe('a lease', () => {
  it.each([60, -60])('is respected by a process whose clock differs by %i seconds', async (seconds) => {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const order: string[] = [];
    const first = withLease(identity, `subject ${seconds}`, async () => {
      entered.resolve();
      await gate.promise;
      order.push('first');
    });
    await entered.promise;
    clockDiffersBy(seconds);
    const before = attempts();
    const second = withLease(identity, `subject ${seconds}`, async () => void order.push('second'));

    await expect.poll(attempts, { timeout: 20_000 }).toBeGreaterThan(before + 2);
    gate.resolve();
    await Promise.all([first, second]);

    expect(order).toEqual(['first', 'second']);
  });

  it('that ended while its holder was paused stays with the next one, whenever the holder comes back', async () => {
    const paused = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const working = Promise.withResolvers<void>();
    const bucket = 'lease:paused';
    const leases = () => identity.db.rateLimit.count({ where: { bucket } });
    const first = withLease(identity, 'paused', () => paused.promise);
    await expect.poll(leases).toBe(1);
    // Its beginning, too: then no renewal that is on its way prolongs it.
    await identity.db.$executeRaw`
      UPDATE auth.rate_limits SET window_started_at = window_started_at - interval '1 second', expires_at = clock_timestamp()
      WHERE bucket = ${bucket}`;
    const second = withLease(identity, 'paused', async () => {
      entered.resolve();
      await working.promise;
    });
    await entered.promise;

    paused.resolve();
    await first;

    expect(await leases()).toBe(1);
    working.resolve();
    await second;
    expect(await leases()).toBe(0);
  });

  it('of a dead process ends, for a process whose clock is behind too', async () => {
    await identity.db.$executeRaw`
      INSERT INTO auth.rate_limits (bucket, failures, window_started_at, expires_at)
      VALUES ('lease:orphan', 1, clock_timestamp(), clock_timestamp() + interval '1 second')`;
    clockDiffersBy(-60);

    expect(await withLease(identity, 'orphan', () => Promise.resolve('in'))).toBe('in');
  });
});
