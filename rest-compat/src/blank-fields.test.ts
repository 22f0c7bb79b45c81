import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { bodyExamples, parameterHelp } from './openapi/examples.ts';
import type { JsonSchema } from './openapi/json-schema.ts';
import { pathOf } from './openapi/operation.ts';
import { readInput, type DocumentedRow, type Route } from './route.ts';
import { routes } from './routes.ts';

type Fields = Record<string, unknown>;
type Place = 'query' | 'headers' | 'body';

/** A field that may be left out, of one route. */
interface Optional {
  key: string;
  method: string;
  row: DocumentedRow;
  place: Place;
  steps: (string | number)[];
  of: JsonSchema;
}

const SOME_UUID = '0a0c0000-0000-4000-8000-0000000000ee';
const keyOf = ({ method, url }: Route) => `${String(method)} ${pathOf(url)}`;

/** Something for each parameter in the path, and for each other one that is needed. */
function example(key: string, schema: JsonSchema | undefined): Fields {
  const needed = Object.entries(schema?.properties ?? {}).filter(([name]) => schema?.required?.includes(name));
  return Object.fromEntries(
    needed.map(([name, of]) => [name, parameterHelp(key, name).example ?? madeUp(name, of)] as const),
  );
}

function madeUp(name: string, of: JsonSchema): unknown {
  if (name === 'email') return 'somebody@example.test';
  return of.format === 'uuid' || 'pattern' in of ? SOME_UUID : '1';
}

const request = (key: string, { properties = {} }: JsonSchema) => ({
  params: example(key, properties['params']),
  query: example(key, properties['query']),
  headers: example(key, properties['headers']),
  body: bodyExamples[key] ?? {},
});

const documented = (row: DocumentedRow) =>
  z.toJSONSchema(row.input, { io: 'input', unrepresentable: 'any' }) as JsonSchema;

function optionalIn(
  schema: JsonSchema | undefined,
  sent: unknown,
  steps: Optional['steps'] = [],
): Pick<Optional, 'steps' | 'of'>[] {
  if (schema?.items && Array.isArray(sent)) return optionalIn(schema.items, sent[0], [...steps, 0]);
  return Object.entries(schema?.properties ?? {}).flatMap(([name, of]) => {
    const here = [...steps, name];
    const inside = optionalIn(of, (sent as Fields | undefined)?.[name], here);
    return schema?.required?.includes(name) ? inside : [{ steps: here, of }, ...inside];
  });
}

const optional: Optional[] = routes.flatMap((route) => {
  const { row } = route;
  if (!row) return [];
  const [key, schema] = [keyOf(route), documented(row)];
  const sent = request(key, schema);
  return (['query', 'headers', 'body'] as const).flatMap((place) =>
    optionalIn(schema.properties?.[place], sent[place])
      .filter(({ of }) => place === 'body' || of.type !== 'object')
      .map((field) => ({ key, method: String(route.method), row, place, ...field })),
  );
});

/** What the route reads with this in the field; `undefined` leaves it out. */
function reads({ key, method, row, place, steps }: Optional, value: unknown): unknown {
  const sent = structuredClone(request(key, documented(row)));
  let at = sent[place] as Fields;
  for (const step of steps.slice(0, -1)) at = at[step] as Fields;
  const last = steps.at(-1) ?? '';
  if (value === undefined) delete at[last];
  else at[last] = value;
  try {
    return readInput(row.input, method, sent);
  } catch (error) {
    return error;
  }
}

const changes = (method: string) => method === 'PUT' || method === 'PATCH';
const mayBeNull = ({ type, anyOf }: JsonSchema) =>
  [type, ...(Array.isArray(anyOf) ? anyOf.map((one: JsonSchema) => one.type) : [])].flat().includes('null');
const isFreeText = (of: JsonSchema) =>
  of.type === 'string' && !of.enum && !of.format && !('pattern' in of) && !('minLength' in of);

/** Rows that take one of several fields, and are refused without any. */
const takesOneOf = /\/(orderTicketGroup|notification)$/;
/** Fields in which a blank is refused, for leaving them out does more than they can say. */
const refusing = new Set([
  'POST /api/v1/internal/platform/reconcile: query.dry_run',
  'GET /api/v1/internal/users/{id}/roles: query.org_id',
  'DELETE /api/media/{id}: query.purge',
]);
const named = ({ key, place, steps }: Optional) => `${key}: ${place}.${steps.join('.')}`;

describe('a field that may be left out', () => {
  it('is there on many routes, and their examples can be read', () => {
    expect(optional.length).toBeGreaterThan(150);
    const unread = optional.filter((field) => reads(field, undefined) instanceof Error);
    expect(unread.filter(({ key }) => !takesOneOf.test(key)).map(named)).toEqual([]);
  });

  it.each([null, '', '  '])('is not there when it is %j, on any route', (nothing) => {
    const fields = optional.filter(({ method, place, of }) => {
      const said = place === 'body' && changes(method) && (mayBeNull(of) || (nothing === '' && isFreeText(of)));
      return !said && (place === 'body' || nothing !== null); // a query has no null
    });
    const wrong = fields.filter(
      (field) => JSON.stringify(reads(field, nothing)) !== JSON.stringify(reads(field, undefined)),
    );
    expect(wrong.map(named).filter((name) => !refusing.has(name))).toEqual([]);
  });

  it.each(['', '  '])('is refused when it is %j, where leaving it out does more than it can say', (nothing) => {
    const fields = optional.filter((field) => refusing.has(named(field)));
    expect(fields.map(named).toSorted()).toEqual([...refusing].toSorted());
    expect(fields.filter((field) => !(reads(field, nothing) instanceof Error)).map(named)).toEqual([]);
  });

  /** Fields of updates in which null or a blank text says something: those that do not read it so. */
  const unread = (fields: Optional[], sent: readonly unknown[], read: unknown) =>
    fields
      .filter((field) => {
        const [name, is] = [field.steps.at(-1), JSON.stringify(read)];
        return !sent.every((nothing) => JSON.stringify(reads(field, nothing)).includes(`"${name}":${is}`));
      })
      .map(named);
  const inUpdates = optional.filter(({ method, place }) => place === 'body' && changes(method));

  it('is taken away by null or a blank text in an update, where it may be null', () => {
    const fields = inUpdates.filter(({ key, of }) => mayBeNull(of) && !takesOneOf.test(key));
    expect(fields.length).toBeGreaterThan(3);
    expect(unread(fields, [null, '', ' '], null)).toEqual([]);
  });

  it('is emptied by an empty text in an update, where it is free text', () => {
    const fields = inUpdates.filter(({ of }) => isFreeText(of));
    expect(fields.length).toBeGreaterThan(5);
    expect(unread(fields, [''], '')).toEqual([]);
  });
});
