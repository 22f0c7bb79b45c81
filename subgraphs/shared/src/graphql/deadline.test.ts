import { describe, expect, it } from 'vitest';

import { notCounting, timeLeft, withinTime } from './deadline.ts';

const HOUR_MS = 3_600_000;

describe('the time for external calls', () => {
  it('is the timeout of one call when there is no deadline', () => {
    expect(timeLeft(500)).toBe(500);
    expect(notCounting(HOUR_MS, () => timeLeft(500))).toBe(500);
  });

  it('is what is left of the deadline, which may be nothing', () => {
    expect(withinTime(HOUR_MS, () => timeLeft(500))).toBe(500);
    expect(withinTime(0, () => timeLeft(500))).toBe(0);
  });

  it('begins after the wait for its turn', () => {
    expect(withinTime(0, () => notCounting(HOUR_MS, () => timeLeft(500)))).toBe(500);
  });
});
