import { expect, it } from 'vitest';

import { searchIn } from './search.ts';

const about = (heading: string, text: string) => ({ file: 'docs/a.md', document: 'A', anchor: 'a', heading, text });
const search = searchIn([
  about('Backup', 'Copy the database and the object store.'),
  about('Ports', `${'Words about nothing. '.repeat(30)}The database listens on a port.`),
]);

it('finds sections by the beginnings of words, headings first', () => {
  expect(search('data').map(({ heading }) => heading)).toEqual(['Backup', 'Ports']);
  expect(search('port')[0]?.heading).toBe('Ports');
  expect(search('databse store').map(({ heading }) => heading)).toEqual(['Backup']);
});

it('shows the words around what was found', () => {
  expect(search('listens')[0]?.excerpt).toMatch(/^… .*database listens on a port\.$/);
});

it('finds nothing for words that are nowhere', () => {
  expect(search('zebra')).toEqual([]);
  expect(search('')).toEqual([]);
});
