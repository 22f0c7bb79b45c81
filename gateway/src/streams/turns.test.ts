import { expect, it } from 'vitest';

import { inTurns } from './turns.ts';

/** Lets immediates that are due run, but none that they begin. */
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

it('of many that come at once, so many begin in each turn of the event loop, the first first', async () => {
  const turn = inTurns(2);
  const begun: number[] = [];
  const begin = async (number: number) => {
    await turn();
    begun.push(number);
  };

  const all = Promise.all([1, 2, 3, 4, 5].map(begin));

  await Promise.resolve();
  expect(begun).toEqual([1, 2]);
  await nextTurn();
  expect(begun).toEqual([1, 2, 3, 4]);
  await all;
  expect(begun).toEqual([1, 2, 3, 4, 5]);
});

it('one that comes later in a turn waits behind those that came before it', async () => {
  const turn = inTurns(1);
  const begun: string[] = [];
  const begin = async (name: string) => {
    await turn();
    begun.push(name);
  };
  const early = Promise.all(['a', 'b'].map(begin));
  await Promise.resolve();

  await Promise.all([early, begin('c')]);

  expect(begun).toEqual(['a', 'b', 'c']);
});

it('one that comes alone begins at once, also after many have', async () => {
  const turn = inTurns(2);
  await Promise.all([turn(), turn(), turn()]);
  await nextTurn();
  await nextTurn();

  expect(turn()).toBeUndefined();
});
