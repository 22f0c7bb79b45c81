import { afterEach, expect, it, vi } from 'vitest';

import { goldenOf } from './server-process.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('a run that began before midnight keeps its golden data folder, also in processes that start later', async () => {
  const today = await goldenOf('single');

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  vi.resetModules();
  const later = await import('./server-process.ts');

  expect(await later.goldenOf('single')).toBe(today);
});
