import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import { limits, noLimits, type Limits } from './limits.ts';

let identity: TestIdentity;
let now = new Date('2030-01-01T12:00:00Z');
let replicas: [Limits, Limits];

beforeAll(async () => {
  identity = await startTestIdentity();
  const needs = { db: identity.db, clock: { now: () => now } };
  replicas = [limits(needs), limits(needs)];
});
afterAll(() => identity.stop());

const rule = { name: 'test', most: 5, windowSeconds: 60 };

describe('a limit', () => {
  it('lets exactly five of forty simultaneous attempts through, on two replicas', async () => {
    const takes = replicas.flatMap((replica) => Array.from({ length: 20 }, () => replica.tryTake(rule, 'race')));
    expect((await Promise.all(takes)).filter(Boolean)).toHaveLength(5);
  });

  it('says how long to wait, and starts again after its window', async () => {
    for (let count = 0; count < 5; count++) await replicas[0].take(rule, 'window');
    now = new Date(now.getTime() + 18_500);
    await expect(replicas[1].take(rule, 'window')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      extensions: { retryAfter: 42 },
    });
    now = new Date(now.getTime() + 42_000);
    expect((await replicas[1].take(rule, 'window')).number).toBe(1);
  });

  it('lasts no longer than its window after a clock was set back', async () => {
    for (let count = 0; count < 5; count++) await replicas[0].take(rule, 'set back');
    await replicas[0].take(rule, 'open');
    now = new Date(now.getTime() - 3_600_000);
    await expect(replicas[1].take(rule, 'set back')).rejects.toMatchObject({ extensions: { retryAfter: 60 } });
    expect((await replicas[1].take(rule, 'open')).number).toBe(2); // what was counted still counts
    now = new Date(now.getTime() + 61_000);
    expect((await replicas[1].take(rule, 'set back')).number).toBe(1);
    expect((await replicas[1].take(rule, 'open')).number).toBe(1);
  });

  it('does not count attempts that were given back', async () => {
    for (let count = 0; count < 10; count++) await (await replicas[0].take(rule, 'given back')).giveBack();
    expect((await replicas[0].take(rule, 'given back')).number).toBe(1);
    await (await replicas[0].take(rule, 'given back')).forget();
    expect((await replicas[0].take(rule, 'given back')).number).toBe(1);
  });

  it('stores nothing that reveals the subject', async () => {
    await replicas[0].take(rule, 'someone@acme.test');
    expect(JSON.stringify(await identity.db.rateLimit.findMany())).not.toContain('someone');
  });

  it('does not exist with RATE_LIMITS=off', async () => {
    for (let count = 0; count < 20; count++) expect(await noLimits.tryTake(rule, 'load test')).not.toBeNull();
  });
});

describe('taking turns', () => {
  it('runs tasks of a subject one after the other, and others do not wait for them', async () => {
    const { inTurn } = replicas[0];
    const gate = Promise.withResolvers<void>();
    const order: string[] = [];
    const first = inTurn('mei ACME', () => gate.promise.then(() => order.push('first')));
    const second = inTurn('mei ACME', async () => order.push('second'));
    await inTurn('mei BORNEO', async () => order.push('of another organization'));
    gate.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['of another organization', 'first', 'second']);
  });

  it('is refused to the fifty-first in the queue, with the seconds to wait, and open again afterwards', async () => {
    const { inTurn } = replicas[0];
    const gate = Promise.withResolvers<void>();
    const waiting = Array.from({ length: 50 }, () => inTurn('crowd', () => gate.promise));
    await expect(inTurn('crowd', () => Promise.resolve())).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      extensions: { retryAfter: 5 },
    });
    gate.resolve();
    await Promise.all(waiting);
    await expect(inTurn('crowd', () => Promise.resolve('in'))).resolves.toBe('in');
  });
});
