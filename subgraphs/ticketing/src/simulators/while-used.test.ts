import { expect, it, vi } from 'vitest';

import { whileUsed } from './while-used.ts';

/** A numbered thing, and what has become of those before it. */
function numbered() {
  const ended: number[] = [];
  let count = 0;
  const life = whileUsed({
    make: async () => (count += 1),
    end: async (thing) => void ended.push(thing),
    idleMs: 1,
  });
  return { ...life, ended };
}

it('is made once for all who use it at the same time, and kept until the last one is done', async () => {
  const { take, ended } = numbered();
  const [first, second] = await Promise.all([take(), take()]);
  expect([first.thing, second.thing]).toEqual([1, 1]);
  first.release();
  expect((await take()).thing).toBe(1);
  expect(ended).toEqual([]);
});

it('is ended when nobody uses it any more, and made again by the next one', async () => {
  const { take, ended } = numbered();
  (await take()).release();
  await vi.waitFor(() => expect(ended).toEqual([1]));
  expect((await take()).thing).toBe(2);
});

it('is tried again after it could not be made', async () => {
  const make = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('no room')).mockResolvedValue('made');
  const { take } = whileUsed({ make, end: async () => undefined, idleMs: 1 });
  await expect(take()).rejects.toThrow('no room');
  expect((await take()).thing).toBe('made');
});

it('is ended by a stop, also while it is used', async () => {
  const { take, stop, ended } = numbered();
  await take();
  await stop();
  expect(ended).toEqual([1]);
});
