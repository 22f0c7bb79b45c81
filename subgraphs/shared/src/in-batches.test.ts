import { describe, expect, it } from 'vitest';

import { inBatches } from './in-batches.ts';

/** Runs batches that take as long as the test wants, and records them. */
function slowly(run: (items: readonly string[]) => readonly string[] = (items) => items) {
  const batches: (readonly string[])[] = [];
  const releases: (() => void)[] = [];
  const ask = inBatches({
    keyOf: (item: string) => item.slice(0, 1),
    most: 3,
    async run(items) {
      batches.push(items);
      await new Promise<void>((resolve) => releases.push(resolve));
      return run(items);
    },
  });
  const release = () => releases.shift()?.();
  return { ask, batches, release };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('in batches', () => {
  it('runs the calls that arrive together, and batches those that arrive meanwhile', async () => {
    const { ask, batches, release } = slowly();
    const together = ['a1', 'a2'].map(ask);
    await settled();
    expect(batches).toEqual([['a1', 'a2']]);
    const meanwhile = ['a3', 'a4', 'a5', 'a6'].map(ask);
    for (let run = 0; run < 3; run += 1) {
      release();
      await settled();
    }

    expect(await Promise.all([...together, ...meanwhile])).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
    expect(batches).toEqual([['a1', 'a2'], ['a3', 'a4', 'a5'], ['a6']]);
  });

  it('never returns a result that is older than the call', async () => {
    let truth = 'old';
    const { ask, release } = slowly((items) => items.map(() => truth));
    const early = ask('a');
    await settled();
    const late = ask('a');
    release();
    expect(await early).toBe('old');
    truth = 'new';
    await settled();
    release();
    expect(await late).toBe('new');
  });

  it('runs different keys independently', async () => {
    const { ask, batches, release } = slowly();
    const answers = Promise.all([ask('a'), ask('b')]);
    await settled();
    expect(batches).toEqual([['a'], ['b']]);
    release();
    release();
    expect(await answers).toEqual(['a', 'b']);
  });

  it('runs the items of a failed batch one by one', async () => {
    const ask = inBatches({
      keyOf: () => '',
      run: async (items: readonly string[]) => {
        if (items.includes('bad')) throw new Error('bad');
        return items;
      },
    });
    const answers = await Promise.allSettled(['first', 'good', 'bad', 'fine'].map(ask));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  });
});
