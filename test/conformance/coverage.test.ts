import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { anchors } from './framework/anchors.ts';
import { report } from './framework/report.ts';
import { known } from './known.ts';
import { allRows } from './rows.ts';

const root = join(import.meta.dirname, '../..');
const ids = anchors.map(({ id }) => id);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

it('each row and rule of the documents has one anchor', () => {
  expect(ids.length).toBeGreaterThan(390);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

it('each anchor has an entry, and each entry an anchor', () => {
  const entries = Object.keys(allRows);
  expect({
    missing: ids.filter((id) => !entries.includes(id)),
    tooMany: entries.filter((entry) => !ids.includes(entry)),
  }).toEqual({ missing: [], tooMany: [] });
});

it('what is known not to hold is a row with a check', () => {
  const unchecked = Object.keys(known).filter((key) => !allRows[key.replace(/ \((documented|strict)\)$/, '')]?.check);
  expect(unchecked).toEqual([]);
});

it('each decision and each test that a row names exists', () => {
  const gone = Object.entries(allRows).filter(
    ([, { decision, shownBy }]) =>
      (decision && !existsSync(join(root, `docs/decisions/${decision}.md`))) ||
      (shownBy && !(existsSync(join(root, shownBy.file)) && read(shownBy.file).includes(shownBy.title))),
  );
  expect(gone.map(([anchor]) => anchor)).toEqual([]);
});

it('docs/conformance.md is what `pnpm conformance --write` writes', () => {
  const words = (text: string) => text.replaceAll(/-{3,}/g, '---').replaceAll(/ +/g, ' ');
  expect(words(read('docs/conformance.md'))).toBe(words(report(allRows)));
});
