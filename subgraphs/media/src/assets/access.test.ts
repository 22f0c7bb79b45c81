import { describe, expect, it, vi } from 'vitest';

import { openAccess } from './access.ts';

describe('access to objects', () => {
  it('is looked up once in a while, and stays as it was while the database is away', async () => {
    let lookUps = 0;
    let isAway = false;
    const $queryRaw = async () => {
      lookUps += 1;
      if (isAway) throw new Error('the database is away');
      return [{ mediaId: 7, visibility: 'PRIVATE' }];
    };
    const database = { $queryRaw } as never;
    const accessOf = openAccess(database, { unownedIsPublic: true, rememberedMs: 50 });

    expect([await accessOf('a'), await accessOf('a'), lookUps]).toEqual([{ mediaId: 7 }, { mediaId: 7 }, 1]);
    isAway = true;
    for (const expected of [2, 3]) {
      await vi.waitUntil(async () => {
        expect(await accessOf('a')).toEqual({ mediaId: 7 });
        return lookUps === expected;
      });
    }
    await expect(accessOf('b')).rejects.toThrow('away');
  });

  it('is decided anew each time for an object that belongs to no item', async () => {
    const answers = [[], [], [{ mediaId: 7, visibility: 'PRIVATE' }]];
    const accessOf = openAccess({ $queryRaw: async () => answers.shift() } as never, { unownedIsPublic: true });

    expect([await accessOf('a'), await accessOf('a'), await accessOf('a')]).toEqual([
      'everybody',
      'everybody',
      { mediaId: 7 },
    ]);
  });
});
