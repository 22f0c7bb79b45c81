import { afterEach, expect, it, vi } from 'vitest';

import type * as module from './golden-data-dir.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Loads the module anew, as a process does that the run starts now. */
async function foundBy(process: string): Promise<string> {
  const specifier = `./golden-data-dir.ts?${process}`;
  const { goldenDataDir } = (await import(specifier)) as typeof module;
  let isMade = false;
  const found = await goldenDataDir(() => Promise.reject(new Error('made'))).catch(() => (isMade = true));
  return isMade ? 'another one' : String(found);
}

it('a run that began before midnight keeps its golden data folder, also in processes that start later', async () => {
  const today = await foundBy('before');
  expect(today).toContain('foyer-golden');

  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  expect(await foundBy('after')).toBe(today);
});
