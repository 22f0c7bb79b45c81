import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { buildSchema, parse, specifiedRules, validate, type DocumentNode } from 'graphql';
import { describe, expect, it } from 'vitest';

import { readConfig } from '../config.ts';
import { firstOf } from './equal-documents.ts';
import { documentRules, documentStore } from './document-store.ts';

const fields = Array.from({ length: 48 }, (_, at) => `f${at}`);
const schema = buildSchema(`
  type Query { shop(ids: [Int!]): Shop }
  type Shop { ${fields.map((name) => `${name}: Int`).join(' ')} }
`);
/** Reads documents as ApolloServer does: from the store, else parsed, validated and stored. */
const aReader = () => {
  const store = documentStore();
  const rules = [...specifiedRules, ...documentRules(readConfig({}))];
  return async (text: string): Promise<DocumentNode> => {
    const key = `schema:${createHash('sha256').update(text).digest('hex')}`;
    const known = await store.get(key);
    if (known) return known;
    const document = parse(text);
    const [error] = validate(schema, document, rules);
    if (error) throw error;
    await store.set(key, document);
    return document;
  };
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
  it('are read once', async () => {
    const read = aReader();

    const first = await read('{ shop { f1 } }');

    expect(first).toMatchObject({ kind: 'Document' });
    expect(await read('{ shop { f1 } }')).toBe(first);
  });

  it('share their plans when they come at the same time', async () => {
    const store = documentStore();
    const [first, second] = [parse('{ shop { f1 } }'), parse('{ shop { f1 } }')];

    await store.set('schema:hash', first);
    await store.set('schema:hash', second);

    expect(firstOf(second)).toBe(first);
    expect(await store.get('schema:hash')).toBe(first);
  });

  it('are cached without their comments', async () => {
    const read = aReader();
    const before = heapMb();

    for (const text of times(20, (at) => `query Q${at} { shop { f1 } } ${'#\n'.repeat(174_000)}`)) await read(text);

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
  ])('are evicted before they fill the memory when they %s', async (_what, many, named) => {
    const read = aReader();
    const [first = '', ...others] = times(many, (at) => named(`Q${at}`));
    const remembered = await read(first);

    for (const text of others) expect(await read(text)).toMatchObject({ kind: 'Document' });

    expect(await read(first)).not.toBe(remembered);
    const last = others.at(-1) ?? '';
    expect(await read(last)).toBe(await read(last));
  });
});
