import { setImmediate as tick } from 'node:timers/promises';

import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { whileUsed } from './while-used.ts';

const IDLE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Something that notes when it starts and ends, and ends when it is told that it may. */
function noted() {
  const happened: string[] = [];
  const ends: (() => void)[] = [];
  const used = whileUsed({
    idleMs: IDLE_MS,
    async start() {
      happened.push('started');
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return {
        ended,
        async end() {
          happened.push('ending');
          await ended;
          happened.push('ended');
        },
      };
    },
  });
  const use = () => used.use(async () => void happened.push('used'));
  const letItEnd = () => ends.at(-1)?.();
  return { happened, used, use, letItEnd };
}

it('starts with the first use, and ends when nobody has used it for a while', async () => {
  const { happened, use, letItEnd } = noted();
  await use();
  vi.advanceTimersByTime(IDLE_MS - 1);
  await use();
  vi.advanceTimersByTime(IDLE_MS - 1);
  expect(happened).toEqual(['started', 'used', 'used']);

  vi.advanceTimersByTime(1);
  letItEnd();
  await tick();
  expect(happened.slice(3)).toEqual(['ending', 'ended']);
});

it('does not end while it is used', async () => {
  const { happened, used, use } = noted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const long = used.use(() => promise);
  await use();
  vi.advanceTimersByTime(10 * IDLE_MS);
  expect(happened).toEqual(['started', 'used']);
  resolve();
  await long;
});

it('starts again, once, for uses that come while it ends', async () => {
  const { happened, use, letItEnd } = noted();
  await use();
  vi.advanceTimersByTime(IDLE_MS);
  await tick();
  const uses = [use(), use()];
  await tick();
  expect(happened).toEqual(['started', 'used', 'ending']);

  letItEnd();
  await Promise.all(uses);
  expect(happened.slice(3)).toEqual(['ended', 'started', 'used', 'used']);
});

it('starts again where it has ended by itself', async () => {
  const { happened, use, letItEnd } = noted();
  await use();
  letItEnd();
  await tick();
  await use();
  expect(happened).toEqual(['started', 'used', 'started', 'used']);
});

it('starts again after a start that failed, for the next use', async () => {
  let isFull = true;
  const used = whileUsed({
    idleMs: IDLE_MS,
    async start() {
      if (isFull) throw new Error('no memory');
      return { ended: new Promise<void>(() => {}), end: async () => undefined };
    },
  });
  const work = vi.fn<() => Promise<void>>(async () => undefined);

  await expect(used.use(work)).rejects.toThrow('no memory');
  await used.end();
  isFull = false;
  await used.use(work);

  expect(work).toHaveBeenCalledOnce();
});
