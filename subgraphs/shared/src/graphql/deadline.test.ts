import { describe, expect, it } from 'vitest';

import { notCounting, timeLeft, withinTime } from './deadline.ts';

const HOUR_MS = 3_600_000;

describe('the time for calls outside', () => {
  it('is what one call may take, where nobody waits for all of them', () => {
    expect(timeLeft(500)).toBe(500);
    expect(notCounting(HOUR_MS, () => timeLeft(500))).toBe(500);
  });

  it('is what is left of the whole, which may be nothing', () => {
    expect(withinTime(HOUR_MS, () => timeLeft(500))).toBe(500);
    expect(withinTime(0, () => timeLeft(500))).toBe(0);
  });

  it('begins after the wait for one’s turn', () => {
    expect(withinTime(0, () => notCounting(HOUR_MS, () => timeLeft(500)))).toBe(500);
  });
});
