import { describe, expect, it } from 'vitest';

import { changeSignal, readChanges } from './changes.ts';

/** A stream whose reads have these outcomes, in order. */
function reading(...outcomes: (readonly string[] | Error)[]) {
  const end = new AbortController();
  const changes = changeSignal(end.signal);
  let reads = 0;
  const items = readChanges({
    changes,
    async read() {
      const outcome = outcomes[reads++] ?? [];
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  });
  return { items, changes, end: () => end.abort(), reads: () => reads };
}

const away = () => Object.assign(new Error('terminated by the server'), { code: 'P1017' });
const finished = { done: true, value: undefined };

describe('a stream of changes', () => {
  it('goes on when the database was away during a read', async () => {
    const { items, reads } = reading(away(), away(), ['one', 'two']);

    expect([await items.next(), await items.next()]).toEqual([
      { done: false, value: 'one' },
      { done: false, value: 'two' },
    ]);
    expect(reads()).toBe(3);
  });

  it('ends at once when its reader leaves while the database is away', async () => {
    const { items, end, reads } = reading(...Array.from({ length: 1_000 }, away));
    const next = items.next();
    await expect.poll(reads).toBeGreaterThan(0);
    end();

    expect(await next).toEqual(finished);
    expect(await items.next()).toEqual(finished);
  });

  it('fails with any other error, and ends', async () => {
    const { items, changes } = reading(new Error('a bug'), ['never read']);

    await expect(items.next()).rejects.toThrow('a bug');
    expect(changes.ended()).toBe(true);
    expect(await items.next()).toEqual(finished);
  });
});
