import { describe, expect, it } from 'vitest';

import { statementNames } from './statement-names.ts';

const times = <Result>(count: number, run: (index: number) => Result) =>
  Array.from({ length: count }, (_, index) => run(index));

describe('a statement', () => {
  it('gets a name the fifth time it is sent, and keeps it', () => {
    const nameOf = statementNames();
    expect(times(6, () => nameOf({ sql: 'SELECT 1' }))).toEqual(['', '', '', '', 'foyer_0', 'foyer_0']);
  });

  it('has a name of its own', () => {
    const nameOf = statementNames();
    const names = times(300, (index) => times(5, () => nameOf({ sql: `SELECT ${index}` })).at(-1) ?? '');
    const given = names.filter((name) => name !== '');
    expect(new Set(given).size).toBe(given.length);
    expect(given).toHaveLength(256);
  });

  it('gets none while texts are sent once each, however many', () => {
    const nameOf = statementNames();
    expect(new Set(times(10_000, (index) => nameOf({ sql: `SELECT ${index}` })))).toEqual(new Set(['']));
  });
});
