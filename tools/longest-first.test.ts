import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';

import LongestFirst, { longest } from './longest-first.ts';

const root = join(import.meta.dirname, '..');
const [first = '', second = ''] = longest;

/** Sorts files, of which vitest knows how long they took at last, by group and name. */
async function order(took: Record<string, number>, groups: Record<string, number> = {}): Promise<string[]> {
  const files = Object.keys(took).map((file) => ({
    moduleId: join(root, file),
    project: { name: 'e2e', config: { isolate: false, sequence: { groupOrder: groups[file] ?? 0 } } },
  }));
  const durations = new Map(Object.entries(took).map(([file, duration]) => [join(root, file), duration]));
  const cache = {
    getTestSpecificationResult: ({ moduleId }: TestSpecification) => ({
      failed: false,
      duration: durations.get(moduleId),
    }),
  };
  const vitest = { config: { root }, cache } as unknown as Vitest;
  const sequencer = new LongestFirst(vitest);
  // oxlint-disable-next-line unicorn/no-array-sort -- not of an array
  const sorted = await sequencer.sort(files as unknown as TestSpecification[]);
  return sorted.map(({ moduleId }) => moduleId.slice(root.length + 1));
}

it('the longest files of each group start first, and the others follow as vitest orders them', async () => {
  expect(await order({ short: 1, [second]: 2, long: 9, [first]: 3 })).toEqual([first, second, 'long', 'short']);
  expect(await order({ short: 1, [first]: 2, [second]: 3 }, { [first]: 2, [second]: 1 })).toEqual([
    'short',
    second,
    first,
  ]);
});

it('the list of the longest files names files that exist', () => {
  expect(longest.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
