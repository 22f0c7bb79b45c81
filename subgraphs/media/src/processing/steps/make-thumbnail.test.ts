import { describe, expect, it } from 'vitest';

import { frameAt } from './make-thumbnail.ts';

describe('the moment of a preview', () => {
  it('is at 10 percent, at least 1 second, within the first 3, and never past the end', () => {
    expect([frameAt(20), frameAt(5), frameAt(600), frameAt(0.8), frameAt(0)]).toEqual([2, 1, 3, 0.4, 0]);
  });
});
