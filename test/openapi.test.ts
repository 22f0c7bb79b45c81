import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, it } from 'vitest';

import type { Json } from './support/json.ts';
import { send } from './support/fixtures/people.ts';
import { schemaCheck, type SchemaCheck } from './support/openapi-schemas.ts';
import { sharedServer } from './support/servers/shared-server.ts';

const root = join(import.meta.dirname, '..');

let document: Json;
let wrongWith: SchemaCheck;

beforeAll(async () => {
  document = (await send(await sharedServer(), 'GET', '/openapi.json')).json;
  wrongWith = schemaCheck(document);
});

interface Operation {
  key: string;
  operation: Json;
}

const operations = (): Operation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ key: `${method.toUpperCase()} ${path}`, operation })),
  );

/** A schema of an object, and the steps to it. */
interface Found {
  schema: Json;
  at: string;
}

/** The objects with fields in a part of the document. */
function objectsIn(part: Json, at = ''): Found[] {
  if (typeof part !== 'object' || part === null || at.endsWith('/example')) return [];
  const isObject = [part.type].flat().includes('object') && 'properties' in part;
  const inside = Object.entries<Json>(part).flatMap(([step, each]) => objectsIn(each, `${at}/${step}`));
  return isObject ? [{ schema: part, at }, ...inside] : inside;
}

const isNamed = (at: string) => /^\/components\/schemas\/\w+$/.test(at);

describe('the document of the REST routes', () => {
  it('is valid OpenAPI 3.1', async () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(await new Validator().validate(document)).toEqual({ valid: true });
  });

  it('describes exactly the mounted routes', () => {
    expect(document['x-undescribed']).toEqual([]);
    expect(document['x-not-mounted']).toEqual([]);
    expect(operations().length).toBeGreaterThan(150);
  });

  it('describes the purpose, the callers and the answers of every operation', () => {
    const tags = new Set(document.tags.map(({ name }: Json) => name));
    const silent = operations().filter(
      ({ operation: { summary, security, responses, tags: own } }) =>
        !summary || !security || Object.keys(responses).length === 0 || !tags.has(own[0]),
    );
    expect(silent.map(({ key }) => key)).toEqual([]);
  });

  it('names the parameters of each path', () => {
    for (const { key, operation } of operations()) {
      const inPath = [...key.matchAll(/\{(\w+)\}/g)]
        .map(([, name = '']) => name)
        .toSorted((one, other) => one.localeCompare(other));
      const named = (operation.parameters ?? [])
        .filter((each: Json) => each.in === 'path')
        .map((each: Json) => each.name);
      expect({ key, named: named.toSorted((one: string, other: string) => one.localeCompare(other)) }).toEqual({
        key,
        named: inPath,
      });
    }
  });

  it('names every object that it would otherwise describe twice', () => {
    const described = new Map<string, string[]>();
    for (const { schema, at } of objectsIn(document)) {
      const shape = JSON.stringify(schema);
      described.set(shape, [...(described.get(shape) ?? []), at]);
    }
    expect([...described.values()].filter((places) => places.length > 1 && !places.every(isNamed))).toEqual([]);
  });

  it('names objects by the words of GraphQL, uses every name, and refers to names only', () => {
    const sdl = readFileSync(join(root, 'gateway/schema.graphql'), 'utf8');
    const words = new Set([...sdl.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)].map(([word]) => word.toLowerCase()));
    // What a name says of its part, and the words of REST alone.
    const ours = ['answer', 'input', 'page', 'list', 'row', 'pagination', 'numeric', 'claimed'];
    const names = Object.keys(document.components.schemas);
    expect(names).toEqual(expect.arrayContaining(['Order', 'Channel', 'Media', 'Campaign', 'Organization', 'Role']));
    const strange = names.filter((name) =>
      (name.match(/[A-Z]+(?![a-z])|[A-Z][a-z]+/g) ?? [])
        .map((word) => word.toLowerCase())
        .some((word) => !words.has(word) && !ours.includes(word)),
    );
    expect(strange).toEqual([]);
    const referred = JSON.stringify(document).match(/(?<="#\/components\/schemas\/)\w+/g);
    expect(new Set(referred)).toEqual(new Set(names));
  });

  it('shows numbers where the documents have numbers, and no bounds that only the language has', () => {
    const text = JSON.stringify(document.paths);
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    const { parameters } = document.paths['/api/media/{id}'].get;
    expect(parameters.find(({ name }: Json) => name === 'id').schema).toEqual({
      type: 'integer',
      format: 'int64',
      minimum: 0,
    });
  });

  it('shows the ids of answers as integers where the documents do', () => {
    const integers = [
      ['advertisingTicketId', 'railMenuId', 'notificationId', 'streamerId', 'channelId', 'sid', 'transcodingProfileId'],
      ['orderTicketGroupId', 'ticketGroupId', 'orderTicketInfoId', 'orderTicketLogId', 'mediaId'],
    ].flat();
    const shown = objectsIn(document).flatMap(({ schema, at }) =>
      Object.entries<Json>(schema.properties)
        .filter(([name]) => integers.includes(name))
        .map(([name, { type }]) => ({ name, at, isInteger: [type].flat().includes('integer') })),
    );
    expect(new Set(shown.map(({ name }) => name))).toEqual(new Set(integers));
    expect(shown.filter(({ isInteger }) => !isInteger)).toEqual([]);
  });

  it('gives examples of parameters that their own schemas allow', () => {
    const shown = operations().flatMap(({ key, operation }) =>
      (operation.parameters ?? []).flatMap(({ name, example }: Json, at: number) =>
        example === undefined ? [] : { key, name, example, at },
      ),
    );
    expect(shown.length).toBeGreaterThan(100);
    const wrong = shown.flatMap(({ key, name, example, at }: Json) => {
      const [method = '', path = ''] = key.split(' ');
      const problems = wrongWith(example, 'paths', path, method.toLowerCase(), 'parameters', String(at), 'schema');
      return problems ? [{ key, name, example, problems }] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('gives no example about the password of a demo account', () => {
    const json = (operation: Json) => operation.requestBody?.content['application/json']?.example;
    const about = operations().filter(({ key, operation }) => {
      const fields = Object.keys(json(operation) ?? {});
      return /password/.test(key) || fields.includes('new_password') || (key.includes('reset') && fields.length > 0);
    });
    expect(about.length).toBeGreaterThan(3);
    const demo = /@(acme|foyer|globex)\.test$|^Foyer-demo-/;
    const named = about.flatMap(({ key, operation }) =>
      Object.entries<Json>(json(operation) ?? {})
        .filter(([, value]) => demo.test(String(value)) && value !== 'mei@acme.test')
        .map(([name, value]) => `${key}: ${name} ${value}`),
    );
    expect(named).toEqual([]);
  });

  it('marks superseded routes, with their successors', () => {
    const superseded = operations().filter(({ operation }) => operation.tags[0] === 'Superseded shapes');
    expect(superseded.length).toBeGreaterThan(20);
    for (const { operation } of superseded) {
      expect(operation.deprecated).toBe(true);
      expect(operation.description).toMatch(/Superseded by `\//);
    }
  });

  it('shows an example of every body, which its own schema allows', () => {
    const shown = operations().flatMap(({ key, operation }) =>
      Object.entries<Json>(operation.requestBody?.content ?? {})
        .filter(([, media]) => 'example' in media)
        .map(([type, { example }]) => ({ key, type, example })),
    );
    const without = operations().filter(({ operation }) => {
      const json = operation.requestBody?.content['application/json'];
      return json && !('example' in json);
    });
    expect(without.map(({ key }) => key)).toEqual([]);
    for (const { key, type, example } of shown) {
      const [method = '', path = ''] = key.split(' ');
      const place = ['paths', path, method.toLowerCase(), 'requestBody', 'content', type, 'schema'];
      expect({ key, wrong: wrongWith(example, ...place) }).toEqual({ key, wrong: undefined });
    }
  });

  it('names only refusals of the code', () => {
    const source = globSync('{subgraphs,gateway,rest-compat}/*/**/*.ts', { cwd: root, exclude: ['**/node_modules/**'] })
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    for (const { key, operation } of operations()) {
      for (const [status, { description }] of Object.entries<Json>(operation.responses)) {
        for (const [, code = ''] of description?.matchAll(/`([A-Z_]{4,})`/g) ?? []) {
          const known = source.includes(`'${code}'`) || code.endsWith('_NOT_FOUND');
          expect({ key, status, code, known }).toMatchObject({ known: true });
        }
      }
    }
  });
});
