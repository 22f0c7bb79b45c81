import { pino } from 'pino';
import { describe, expect, it } from 'vitest';

import { openRate } from './rates.ts';

const MINUTE_MS = 60_000;

/** A rate of two a minute, by a clock that the test sets. */
function rateWithClock() {
  let nowMs = Date.parse('2026-12-01T12:00:00Z');
  const clock = { now: () => new Date(nowMs) };
  const rate = openRate({ name: 'test', perMinute: 2, clock, log: pino({ level: 'silent' }) });
  return { take: () => rate.take('somebody'), pass: (ms: number) => void (nowMs += ms) };
}

describe('a rate', () => {
  it('lets so many through in a minute, and says how long to wait for the next', () => {
    const { take, pass } = rateWithClock();
    expect([take(), take(), take()]).toEqual([0, 0, 30]);
    pass(MINUTE_MS / 2);
    expect([take(), take()]).toEqual([0, 30]);
  });

  it('does not count a step back of the clock against anybody', () => {
    const { take, pass } = rateWithClock();
    expect(take()).toBe(0);
    pass(-60 * MINUTE_MS);
    expect([take(), take()]).toEqual([0, 30]);
    pass(MINUTE_MS);
    expect([take(), take()]).toEqual([0, 0]);
  });
});
