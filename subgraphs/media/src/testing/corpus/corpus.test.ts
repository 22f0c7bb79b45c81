import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { corpus } from './corpus.ts';

const document = readFileSync(join(import.meta.dirname, '../../../../../docs/testing.md'), 'utf8');
const sources = corpus.flatMap((group) => group.sources);

describe('the corpus of odd sources', () => {
  it('has at least 80 files, each with a name of its own', () => {
    expect(new Set(sources.map(({ file }) => file)).size).toBe(sources.length);
    expect(sources.length).toBeGreaterThanOrEqual(80);
  });

  it('is listed in docs/testing.md, in its order', () => {
    const rows = [...document.matchAll(/^\| `([^`]+)` +\| (.+?) +\|$/gm)].map(([, file, shows]) => ({ file, shows }));
    const listed = rows.filter(({ file }) => sources.some((source) => source.file === file));
    expect(listed).toEqual(sources.map(({ file, shows }) => ({ file, shows })));
  });
});
