import { describe, expect, it } from 'vitest';

import { rungsFor } from './ladder.ts';

describe('the rungs of a ladder', () => {
  const plans = [480, 1080, 720].map((height) => ({ height, videoBitrateKbps: 1000, audioBitrateKbps: 128 }));
  const sizes = (source: { width: number; height: number }) =>
    rungsFor(plans, source).map(({ name, size }) => `${name} ${size.width}x${size.height}`);

  it('are never taller than the source', () => {
    expect(sizes({ width: 1280, height: 720 })).toEqual(['720p 1280x720', '480p 854x480']);
  });

  it('measure the shorter side of a portrait', () => {
    expect(sizes({ width: 1080, height: 1920 })).toEqual(['1080p 1080x1920', '720p 720x1280', '480p 480x854']);
  });

  it('are one, in its own size, for a source smaller than all', () => {
    expect(sizes({ width: 321, height: 241 })).toEqual(['242p 322x242']);
  });
});
