import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseSync, Visitor } from 'oxc-parser';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** The lines of a file on which an object literal has a getter or a setter. */
function accessorsIn(text: string): number[] {
  const lines: number[] = [];
  new Visitor({
    ObjectExpression({ properties }) {
      for (const property of properties) {
        if (property.type === 'Property' && property.kind !== 'init')
          lines.push(text.slice(0, property.start).split('\n').length);
      }
    },
  }).visit(parseSync('file.ts', text).program);
  return lines;
}

// Why: docs/decisions/0134-no-accessors-in-object-literals.md.
describe('no object literal has a getter or a setter, which would keep what it refers to until a full collection,', () => {
  it.each([
    ['in our code', '{gateway,subgraphs/*,prisma,rest-compat,server}/src/**/*.ts', 500],
    ['in ApolloServer with our patch', 'gateway/node_modules/@apollo/server/dist/esm/**/*.js', 50],
  ])('%s', (_where, pattern, least) => {
    const files = globSync(pattern, { cwd: root, exclude: ['**/*.test.ts'] });
    expect(files.length).toBeGreaterThan(least);
    const found = files.flatMap((file) =>
      accessorsIn(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
    );
    expect(found).toEqual([]);
  });
});

it('a getter of an object literal is found, one of a class is not', () => {
  expect(accessorsIn('class A { get a() { return 1; } }\nconst b = { c: 1,\n  get a() { return 1; } };')).toEqual([3]);
});
