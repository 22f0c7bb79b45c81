import { describe, expect, it } from 'vitest';

import { openFairQueue } from './fair-queue.ts';

function filled(...callers: string[]) {
  const queue = openFairQueue();
  const begun: string[] = [];
  callers.forEach((caller, index) =>
    queue.push({ caller, begin: () => void begun.push(`${caller}${index}`), giveUp: () => undefined }),
  );
  return { queue, begun };
}

describe('the queue of receipts', () => {
  it('lets callers take turns, and those of one caller wait in order', () => {
    const { queue, begun } = filled('a', 'a', 'a', 'b', 'c');
    for (let next = queue.shift(); next; next = queue.shift()) next.begin();

    expect(begun).toEqual(['a0', 'b3', 'c4', 'a1', 'a2']);
    expect([queue.size(), queue.longest()]).toEqual([0, 0]);
  });

  it('lets the last one of the longest lane leave', () => {
    const { queue, begun } = filled('a', 'b', 'b');
    queue.pop()?.begin();

    expect(begun).toEqual(['b2']);
    expect([queue.size(), queue.lengthOf('a'), queue.lengthOf('b'), queue.lengthOf('c')]).toEqual([2, 1, 1, 0]);
  });
});
