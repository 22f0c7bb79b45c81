import { describe, expect, it } from 'vitest';

import { foldersInDocs, foldersInWords, importGraphOf, layersOf, packages } from './import-graph.ts';

describe.each(packages)('the folders of %s', (folder) => {
  it('do not import each other in a circle', () => {
    const graph = importGraphOf(folder);

    expect(graph.size).toBeGreaterThan(3);
    expect(layersOf(graph).circular).toEqual([]);
  });
});

it('a circle of folders is found, and so are folders that lead into it', () => {
  const graph = new Map([
    ['ground', new Set<string>()],
    ['orders', new Set(['ground', 'payments'])],
    ['payments', new Set(['orders'])],
    ['schema.ts', new Set(['orders'])],
  ]);

  expect(layersOf(graph)).toEqual({ layers: [['ground']], circular: ['orders', 'payments', 'schema.ts'] });
});

it('docs/architecture.md shows the folders as they are (node tools/import-graph.ts writes it)', () => {
  expect(foldersInDocs()).toBe(foldersInWords());
});
