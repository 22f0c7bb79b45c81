import { expect, it } from 'vitest';

import { purgeMediaJob } from './purge.ts';

it('a purge is tried again for more than six hours, however short its pauses turn out', () => {
  const { retries, retryDelaySeconds, retryDelayMaxSeconds = Infinity } = purgeMediaJob;
  // pg-boss takes between half of this power of two and all of it, at random.
  const shortest = (retry: number) => (retryDelaySeconds * 2 ** Math.min(16, retry + 1)) / 2;
  const seconds = Array.from({ length: retries }, (_, retry) => Math.min(shortest(retry), retryDelayMaxSeconds));

  expect(seconds.reduce((sum, pause) => sum + pause) / 3600).toBeGreaterThan(6);
});
