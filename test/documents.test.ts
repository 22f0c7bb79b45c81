import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
} from 'graphql';
import { languages, type Language } from '@foyer/demo/languages';
import { sameAs, textOf } from '@foyer/demo/reasons';
import { otherRoutes } from '@foyer/rest-compat/other-routes';
import { routes } from '@foyer/rest-compat/routes';
import { httpStatusOf } from '@foyer/shared/errors';
import { describe, expect, it } from 'vitest';

import { publicSdl } from './support/tables/access-rules.ts';
import { reasonsInDocument, reasonsInSources } from './support/tables/reasons.ts';
import { metByNobody } from './support/tables/shop-reasons.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
const documents = globSync(['README.md', 'docs/**/*.md'], { cwd: root });

describe('docs/operations.md', () => {
  const code = globSync(
    [
      '{gateway,rest-compat,server}/src/**/{config,main,standalone}.ts',
      'subgraphs/*/src/**/{config,main}.ts',
      'subgraphs/shared/src/config/own-services.ts',
    ],
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

  it('lists no unused variable', () => {
    const code = '{gateway,rest-compat,server,subgraphs,prisma,tools}/**/*.{ts,json}';
    const all = globSync([code, 'docker-compose.yml'], {
      cwd: root,
      exclude: ['**/node_modules/**'],
    })
      .map(read)
      .join('\n');
    expect([...said].filter((name) => !all.includes(name))).toEqual([]);
  });
});

describe('the commands of the documents', () => {
  const blocks = documents.flatMap((file) =>
    [...read(file).matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block = '']) => [file, block] as const),
  );

  it('can be pasted into zsh, which takes no comments there: they have none, and no prompts', () => {
    expect(blocks.length).toBeGreaterThan(8);
    const odd = blocks.flatMap(([file, block]) =>
      block.split('\n').flatMap((line) => (/^\s*[#$%>] |\s#\s/.test(line) ? [`${file}: ${line}`] : [])),
    );
    expect(odd).toEqual([]);
  });
});

describe('docs/errors.md', () => {
  const statuses: Readonly<Record<string, number>> = httpStatusOf;
  const { reasons, unread } = reasonsInSources();
  const said = reasonsInDocument(read('docs/errors.md'), (kind) => kind in statuses);

  it('names every reason of a refusal, with its kind, and no other', () => {
    expect(unread).toEqual([]);
    expect(reasons.size).toBeGreaterThan(140);
    expect({
      missing: [...reasons].filter((each) => !said.reasons.has(each)),
      tooMany: [...said.reasons].filter((each) => !reasons.has(each)),
    }).toEqual({ missing: [], tooMany: [] });
  });

  it('has no reason that the shop meets and has no text for, in each of its languages', () => {
    const unmet = new Set(Object.values(metByNobody).flat());
    const inDocument = new Set([...said.reasons].map((each) => each.split(' ')[1] ?? ''));
    const hasText = (reason: string) => Object.keys(languages).every((of) => textOf(reason, of as Language));
    expect({
      untranslated: [...inDocument].filter((reason) => !unmet.has(reason) && !hasText(reason)),
      translatedForNobody: [...unmet].filter((reason) => hasText(reason)),
      unknown: [...unmet, ...Object.keys(sameAs)].filter((reason) => !inDocument.has(reason) && !(reason in statuses)),
    }).toEqual({ untranslated: [], translatedForNobody: [], unknown: [] });
  });

  it('gives every kind its status', () => {
    expect(said.rows.filter(({ kind, status }) => statuses[kind] !== status)).toEqual([]);
    const kinds = [...read('docs/errors.md').matchAll(/^\| ([A-Z_]+) +\| (\d{3}) +\|$/gm)];
    expect(Object.fromEntries(kinds.map(([, kind, status]) => [kind, Number(status)]))).toEqual(statuses);
  });
});

describe('the documents', () => {
  it.each(documents)('%s: its links lead to files that exist', (file) => {
    const links = [...read(file).matchAll(/\]\((?!https?:|#|\/)([^)#]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
    expect(links.filter((to) => !existsSync(join(root, dirname(file), to)))).toEqual([]);
  });

  it('show every picture', () => {
    const all = documents.map(read).join('\n');
    expect(globSync('docs/images/*.png', { cwd: root }).filter((file) => !all.includes(basename(file)))).toEqual([]);
  });

  /** ```ts file=path: the lines are in that file, in this order. */
  it.each(documents)('%s: its quotes are in the code', (file) => {
    for (const [, source = '', quoted = ''] of read(file).matchAll(/```\w+ file=(\S+)\n([\s\S]*?)```/g)) {
      const there = existsSync(join(root, source)) ? read(source) : '';
      const gone = quoted
        .split('\n')
        .filter((line) => line.trim() !== '' && line.trim() !== '…' && !there.includes(line));
      expect({ source, gone }).toEqual({ source, gone: [] });
    }
  });
});

describe('the tables of routes', () => {
  const internal = '/api/v1/internal';
  const ours = /^\w+ \/(graphql|health\/|metrics|openapi\.json)/;
  const written = (route: string) => route.replaceAll(/:(\w+)/g, '{$1}').replace(/\/$/, '');
  const documented = [
    ...routes.map(({ method, url }) => written(`${String(method)} ${url}`)),
    ...Object.keys(otherRoutes).filter((route) => !ours.test(route)),
  ];
  const named = (text: string) => new Set(text.split('\n\n').flatMap(routesIn()));
  const differences = (said: ReadonlySet<string>, are: readonly string[]) => ({
    missing: are.filter((route) => !said.has(route)),
    tooMany: [...said].filter((route) => !are.includes(route)),
  });

  it('docs/migration.md: every route of clients, and no other', () => {
    const are = documented.filter((route) => !route.includes(internal));
    expect(differences(named(read('docs/migration.md')), are)).toEqual({ missing: [], tooMany: [] });
  });

  it('docs/migration.md: every switch is in docs/operations.md', () => {
    const operations = read('docs/operations.md');
    const rows = read('docs/migration.md').matchAll(/^\| `.*\|([^|]+)\|$/gm);
    const switches = [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
    expect(switches.length).toBeGreaterThan(20);
    expect(switches.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
  });

  it('docs/internal-routes.md: every route of services, and no other', () => {
    const rows = read('docs/internal-routes.md').matchAll(/^\| (\w+) +\| `(\S+)`/gm);
    const said = new Set([...rows].map(([, method = '', path = '']) => written(`${method} ${internal}${path}`)));
    const are = documented.filter((route) => route.includes(internal));
    expect(differences(said, are)).toEqual({ missing: [], tooMany: [] });
  });

  /** Reads paragraph by paragraph: "All under" applies to the rows until the next heading. */
  function routesIn() {
    let prefixes = [''];
    return (paragraph: string): string[] => {
      if (paragraph.startsWith('#')) prefixes = [''];
      if (paragraph.startsWith('All under')) {
        const [said = ''] = paragraph.split(/[.;:]\s|:$/, 1);
        const spans = [...said.matchAll(/`(\/[^`]*)`/g)].map(([, prefix = '']) => prefix);
        prefixes = said.includes('without a prefix') ? ['', ...spans] : spans;
      }
      const cells = paragraph.split('\n').map((line) => /^\| (`.*?) \|/.exec(line)?.[1] ?? '');
      return cells.flatMap((cell) =>
        [...cell.matchAll(/`([A-Z]+) (\/[^`]*)`/g)].flatMap(([, method = '', path = '']) =>
          (method === 'ANY' ? METHODS : [method]).flatMap((each) =>
            prefixes.map((prefix) => written(`${each} ${prefix}${path}`)),
          ),
        ),
      );
    };
  }
});

describe('the GraphQL schema', () => {
  it('describes every type, field, argument, value and directive', () => {
    const silent: string[] = [];
    const look = (name: string, { description }: { description?: string | null | undefined }) => {
      if (!description?.trim()) silent.push(name);
    };
    const schema = buildSchema(publicSdl());
    for (const directive of schema.getDirectives().filter((each) => !isSpecifiedDirective(each))) {
      look(`@${directive.name}`, directive);
      for (const arg of directive.args) look(`@${directive.name}(${arg.name})`, arg);
    }
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue;
      look(type.name, type);
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

  it('has no root query field that erases the others when it fails', () => {
    const fields = Object.values(buildSchema(publicSdl()).getQueryType()?.getFields() ?? {});
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)).toEqual([]);
  });

  it('has no mutation that answers null', () => {
    const fields = Object.values(buildSchema(publicSdl()).getMutationType()?.getFields() ?? {});
    expect(fields.length).toBeGreaterThan(0);
    expect(fields.filter(({ type }) => !isNonNullType(type)).map(({ name }) => name)).toEqual([]);
  });
});
