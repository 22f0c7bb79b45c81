import { describe, expect, it } from 'vitest';

import { placeInQueue } from './priority.ts';

describe('the place in the queue', () => {
  it('lets organizations take turns, whatever the priority among their own items', () => {
    const many = [0, 1, 2, 3].map((ahead) => placeInQueue('NORMAL', ahead));

    expect(placeInQueue('NORMAL', 0)).toBe(many[0]);
    expect(many.toSorted((one, other) => other - one)).toEqual(many);
    expect(placeInQueue('HIGH', 0)).toBeGreaterThan(placeInQueue('NORMAL', 0));
    expect(placeInQueue('HIGH', 2)).toBeLessThan(placeInQueue('NORMAL', 0));
  });

  it('puts low priority after everything else', () => {
    expect(placeInQueue('LOW', 0)).toBeLessThan(placeInQueue('NORMAL', 1_000_000));
    expect(placeInQueue('LOW', 1)).toBeLessThan(placeInQueue('LOW', 0));
  });
});
