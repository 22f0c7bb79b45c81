import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';
import { describe, expect, it } from 'vitest';

import { publicSdl } from './support/access-rules.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const documents = globSync(['README.md', 'docs/**/*.md'], { cwd: root });

describe('docs/operations.md', () => {
  const code = globSync(
    ['{gateway,rest-compat,standalone}/src/**/{config,main,standalone}.ts', 'subgraphs/*/src/**/{config,main}.ts'],
    {
      cwd: root,
    },
  ).map(read);
  const known = new Set(
    code
      .flatMap((text) => [...text.matchAll(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b(?=\??['"]?\]?\s*:|['"]\])/g)])
      .map(([name]) => name),
  );
  const said = new Set(
    [...read('docs/operations.md').matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)`/g)].map(([, name = '']) => name),
  );

  it('lists every variable that the configuration reads', () => {
    expect([...known].filter((name) => !said.has(name))).toEqual([]);
  });

  it('lists every job, and no other', () => {
    const source = globSync('subgraphs/*/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/generated/**'] });
    const jobs = source
      .map(read)
      .flatMap((text) => [...text.matchAll(/name: '((?:identity|ticketing|media)\.[a-z-]+)'/g)]);
    const listed = read('docs/operations.md').matchAll(/^\| `((?:identity|ticketing|media)\.[a-z-]+)`/gm);
    const names = (found: Iterable<RegExpMatchArray>) => new Set([...found].map(([, name = '']) => name));
    expect(names(listed)).toEqual(names(jobs));
  });

  it('lists no variable that nothing reads', () => {
    const all = globSync('{gateway,rest-compat,standalone,subgraphs,prisma,tools}/**/*.{ts,json}', {
      cwd: root,
      exclude: ['**/node_modules/**'],
    })
      .map(read)
      .join('\n');
    expect([...said].filter((name) => !all.includes(name))).toEqual([]);
  });
});

describe('the documents', () => {
  it.each(documents)('%s: its links lead to files that exist', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:|#|\/)([^)#]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
    expect(links.filter((to) => !existsSync(join(root, dirname(file), to)))).toEqual([]);
  });

  /** ```ts file=path: the lines stand in that file, in this order. */
  it.each(documents)('%s: what it quotes stands in the code', (file) => {
    for (const [, source = '', quoted = ''] of read(file).matchAll(/```\w+ file=(\S+)\n([\s\S]*?)```/g)) {
      const there = existsSync(join(root, source)) ? read(source) : '';
      const gone = quoted
        .split('\n')
        .filter((line) => line.trim() !== '' && line.trim() !== '…' && !there.includes(line));
      expect({ source, gone }).toEqual({ source, gone: [] });
    }
  });
});

describe('the GraphQL schema', () => {
  it('says of every type, field, argument and value what it is', () => {
    const silent: string[] = [];
    const look = (name: string, { description }: { description?: string | null | undefined }) => {
      if (!description?.trim()) silent.push(name);
    };
    for (const type of Object.values(buildSchema(publicSdl()).getTypeMap())) {
      if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
      if (!['Query', 'Mutation', 'Subscription'].includes(type.name)) look(type.name, type);
      if (isEnumType(type)) for (const value of type.getValues()) look(`${type.name}.${value.name}`, value);
      if (isInputObjectType(type))
        for (const field of Object.values(type.getFields())) look(`${type.name}.${field.name}`, field);
      if (isObjectType(type) || isInterfaceType(type)) {
        for (const field of Object.values(type.getFields())) {
          look(`${type.name}.${field.name}`, field);
          for (const arg of field.args) look(`${type.name}.${field.name}(${arg.name})`, arg);
        }
      }
    }
    expect(silent).toEqual([]);
  });
});
