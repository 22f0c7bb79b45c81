import { describe, expect, it } from 'vitest';

import { planOf, progressOf, stepAfter } from './plan.ts';

describe('the plan of processing', () => {
  it('goes through every step for a video with a ladder', () => {
    const plan = planOf({ mediaType: 'video', hasLadder: true });

    expect(plan).toEqual(['move', 'normalize', 'probe', 'thumbnail', 'transcode']);
    expect([stepAfter(plan, 'move'), stepAfter(plan, 'transcode')]).toEqual(['normalize', null]);
  });

  it('never shows 100 percent before the end', () => {
    const plan = planOf({ mediaType: 'video', hasLadder: true });

    expect(progressOf(plan, 'transcode', 0.99)).toBeLessThan(100);
    expect(progressOf(plan, 'transcode', 7)).toBe(100);
  });
});
