import { describe, expect, it } from 'vitest';

import { recentlyMade } from './recent.ts';

/** A search that finds nothing the first few times. */
function lagging(behind: number) {
  const search = async () => {
    search.calls += 1;
    return search.calls > behind ? ['found'] : [];
  };
  search.calls = 0;
  return search;
}

describe('a search that lags behind what we wrote', () => {
  it('is repeated, three times, for what was created less than five seconds ago', async () => {
    const recent = recentlyMade();
    recent.add('Mei@acme.test');
    const search = lagging(3);
    const begun = performance.now();
    await expect(recent.search('mei@ACME.test', search)).resolves.toEqual(['found']);
    expect(search.calls).toBe(4);
    expect(performance.now() - begun).toBeGreaterThan(590);
  });

  it('is not repeated after that', async () => {
    const recent = recentlyMade();
    recent.add('mei');
    const search = lagging(9);
    await expect(recent.search('mei', search)).resolves.toEqual([]);
    expect(search.calls).toBe(4);
  });

  it('runs once for anything that we did not create', async () => {
    const search = lagging(9);
    await recentlyMade().search('nobody', search);
    expect(search.calls).toBe(1);
  });
});
