import { afterEach, expect, it, vi } from 'vitest';

import type * as module from './golden-data-dir.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Loads the module anew, as a process does that the run starts now, and finds the folder; throws instead of making one. */
async function foundBy(query: string): Promise<string> {
  const specifier = `./golden-data-dir.ts?${query}`;
  const { goldenDataDir } = (await import(specifier)) as typeof module;
  return goldenDataDir(() => Promise.reject(new Error('it would be made again')));
}

it('a run that began before midnight keeps its golden data folder, also in processes that start later', async () => {
  const today = await foundBy('before');

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  expect(await foundBy('after')).toBe(today);
});
