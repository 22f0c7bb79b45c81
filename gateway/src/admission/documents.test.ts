import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { buildSchema, type GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { documentReader } from './documents.ts';

const fields = Array.from({ length: 48 }, (_, at) => `f${at}`);
const schema = buildSchema(`
  type Query { shop(ids: [Int!]): Shop }
  type Shop { ${fields.map((name) => `${name}: Int`).join(' ')} }
`);
const aReader = (settings: Record<string, string> = {}) => {
  const read = documentReader(readConfig(settings));
  return (text: string) => read(schema, text);
};

/** The memory in use after a garbage collection. */
function heapMb(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed / 1_000_000;
}

const times = (many: number, text: (at: number) => string) => Array.from({ length: many }, (_, at) => text(at));
const shops = times(20, (at) => `s${at}: shop { ...All }`).join(' ');
const all = `fragment All on Shop { ${fields.join(' ')} }`;

describe('documents that clients send', () => {
  it('are read once', () => {
    const read = aReader();

    const first = read('{ shop { f1 } }');

    expect(first).toMatchObject({ kind: 'Document' });
    expect(read('{ shop { f1 } }')).toBe(first);
  });

  it('are cached without their comments', () => {
    const read = aReader();
    const before = heapMb();

    for (const text of times(20, (at) => `query Q${at} { shop { f1 } } ${'#\n'.repeat(174_000)}`)) read(text);

    expect(heapMb() - before).toBeLessThan(60); // comments and all, each takes 15
  });

  it.each([
    ['are long', 200, (name: string) => `query ${name} { shop { f1 } } ${' '.repeat(500_000)}`],
    ['are made of many words', 200, (name: string) => `query ${name} { shop(ids: [${'1 '.repeat(1_900)}]) { f1 } }`],
    ['ask for much in few words', 200, (name: string) => `query ${name} { ${shops} } ${all}`],
    [
      'hold many operations',
      4,
      (name: string) =>
        `${times(50, (at) => `query ${name}at${at} { ...Shops }`).join(' ')} fragment Shops on Query { ${shops} } ${all}`,
    ],
  ])('are evicted before they fill the memory when they %s', (_what, many, named) => {
    const read = aReader();
    const [first = '', ...others] = times(many, (at) => named(`Q${at}`));
    const remembered = read(first);

    for (const text of others) expect(read(text)).toMatchObject({ kind: 'Document' });

    expect(read(first)).not.toBe(remembered);
    const last = others.at(-1) ?? '';
    expect(read(last)).toBe(read(last));
  });

  it('are refused as too deep when they nest deeper than the stack', () => {
    const read = aReader({ GRAPHQL_MAX_TOKENS: '200000' });

    const [error] = read(`{ shop(ids: ${'['.repeat(100_000)}) { f1 } }`) as GraphQLError[];

    expect(error?.extensions).toMatchObject({ code: 'GRAPHQL_PARSE_FAILED', reason: 'MAX_DEPTH' });
  });

  it('have errors with their position, however much text comes before it', () => {
    const [error] = aReader()(`${'#\n'.repeat(10)}{ unknown }`) as GraphQLError[];

    expect(error?.locations).toEqual([{ line: 11, column: 3 }]);
  });
});
