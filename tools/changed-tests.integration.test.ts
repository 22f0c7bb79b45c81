import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { changedTests } from './changed-tests.ts';

let root: string;
const write = (path: string, text = path) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const git = (...args: string[]) => execFileSync('git', args, { cwd: root });

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'foyer-changed-'));
  git('init', '-q');
  write('docs/media.md');
  write('subgraphs/media/src/corpus.test.ts', 'reads docs/media.md');
  write('test/pages/old.test.ts');
  git('add', '.');
  git('-c', 'user.name=x', '-c', 'user.email=x@foyer.test', 'commit', '-qm', 'all');
});
afterAll(() => rmSync(root, { recursive: true }));

it('finds changed, new and moved files, also those of a new folder and with odd names', () => {
  expect(changedTests(root)).toEqual([]);
  write('test/new/Fäden 電影.test.ts');
  git('mv', 'test/pages/old.test.ts', 'test/pages/moved.test.ts');
  expect(changedTests(root).toSorted()).toEqual(['test/new/Fäden 電影.test.ts', 'test/pages/moved.test.ts']);
});

it('finds the tests that name a changed document', () => {
  write('docs/media.md', 'changed');
  expect(changedTests(root)).toContain('subgraphs/media/src/corpus.test.ts');
});
