import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Refusal, type InputError } from '@foyer/shared/errors';
import { fastify } from 'fastify';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { Unanswered } from './answered.ts';
import type { Config } from './config.ts';
import { notFoundBy } from './openapi/errors.ts';
import { rootFieldOf } from './openapi/operation.ts';
import { OtherAnswer, readInput, type DocumentedRow } from './route.ts';
import { routes } from './routes.ts';
import { resultSamples, TEXT } from './testing/result-samples.ts';

const schema = buildSchema(readFileSync(join(import.meta.dirname, '../../gateway/schema.graphql'), 'utf8'));

const rows = routes.flatMap(({ method, url, row }) => (row ? [{ key: `${String(method)} ${url}`, row }] : []));

/** A client that sends no headers, and one that sends all which a reply looks at. */
const inputs = [{}, { accept: TEXT, 'x-user-id': TEXT, 'x-organization-id': TEXT, 'x-workspace-id': TEXT }].map(
  (headers) => ({ params: {}, query: { page: 1, limit: 20 }, headers, body: {} }),
);

/** Runs the `reply` of a route on samples of its result. */
function replies(row: DocumentedRow) {
  const [bodies, others, reasons]: [unknown[], OtherAnswer[], Set<string>] = [[], [], new Set()];
  for (const result of resultSamples(row.document, schema)) {
    for (const input of inputs) {
      try {
        const reply = row.reply(result, input, {} as Config);
        if (reply instanceof OtherAnswer) others.push(reply);
        else bodies.push(JSON.parse(JSON.stringify(reply)));
      } catch (error) {
        if (error instanceof Unanswered) continue; // GraphQL answers such a null with an error
        if (!(error instanceof Refusal)) throw error;
        reasons.add(error.reason);
      }
    }
  }
  return { bodies, others, reasons };
}

/** Returns what a schema allows but none of these values shows, such as `.data[].name is never null`. */
function neverShown(answer: z.ZodType, values: unknown[], at = ''): string[] {
  if (answer instanceof z.ZodNever) return [];
  if (values.length === 0) return [`${at} is never there`];
  if (answer instanceof z.ZodNullable) return unless(null, answer.unwrap() as z.ZodType, values, at);
  if (answer instanceof z.ZodOptional) return unless(undefined, answer.unwrap() as z.ZodType, values, at);
  if (answer instanceof z.ZodArray) return neverShown(answer.element as z.ZodType, values.flat(), `${at}[]`);
  if (answer instanceof z.ZodEnum) {
    return answer.options.filter((option) => !values.includes(option)).map((option) => `${at} is never ${option}`);
  }
  if (answer instanceof z.ZodUnion) {
    return (answer.options as z.ZodType[]).flatMap((option, index) => {
      const own = values.filter((value) => option.safeParse(value).success);
      return neverShown(option, own, `${at}|${index}`);
    });
  }
  if (answer instanceof z.ZodObject) {
    return Object.entries(answer.shape as Record<string, z.ZodType>).flatMap(([name, field]) => {
      const own = values.map((value) => (value as Record<string, unknown>)[name]);
      return neverShown(field, own, `${at}.${name}`);
    });
  }
  return [];
}

function unless(nothing: null | undefined, answer: z.ZodType, values: unknown[], at: string): string[] {
  const others = values.filter((value) => value !== nothing);
  const never = others.length < values.length ? [] : [`${at} is never ${nothing === null ? 'null' : 'absent'}`];
  return [...never, ...neverShown(answer, others, at)];
}

/** Sends an answer, and returns its content type or `redirect`. */
async function kindOf(other: OtherAnswer): Promise<string | undefined> {
  const app = fastify();
  app.get('/', (_request, response) => other.send(response));
  const { statusCode, headers } = await app.inject('/');
  return statusCode === 302 ? 'redirect' : headers['content-type']?.split(';')[0];
}

describe.each(rows)('$key', ({ row }) => {
  const { bodies, others, reasons } = replies(row);

  it('answers what it declares, field by field', () => {
    for (const body of bodies) expect(row.answer?.parse(body)).toEqual(body);
  });

  it('declares nothing that it never answers', () => {
    expect(row.answer ? neverShown(row.answer, bodies) : bodies).toEqual([]);
  });

  it('declares its other answers', async () => {
    const kinds = new Set(await Promise.all(others.map(kindOf)));
    expect([...kinds]).toEqual(row.otherAnswer ? [row.otherAnswer] : []);
  });

  it('documents what it does not find', () => {
    const { name } = rootFieldOf(row.document, schema);
    const documented = Object.entries(notFoundBy).flatMap(([reason, fields]) =>
      fields.includes(name) ? [reason] : [],
    );
    expect([...reasons]).toEqual(documented);
  });
});

it('a required field that is absent is called missing, whatever else it must be', () => {
  const said = rows.flatMap(({ key, row }) =>
    errorsOf(row, key).flatMap(({ path, message }) => (message === 'is missing' ? [] : [`${key}: ${path} ${message}`])),
  );
  expect(said).toEqual([
    'GET /api/orderTicketGroup:  must have orderNo, transactionId or orderTicketGroupId', // one of three optional ones
  ]);
});

it('a superseded route names its successor in the organization of the path or the token, and none without one', () => {
  const of = (orgId: string | undefined, own: string | undefined) =>
    rows.flatMap(({ row }) => row.successor?.({ params: { orgId, workspaceId: 'w' } }, own) ?? []);
  const inOne = of('one', 'two').filter((path) => path.startsWith('/api/v1/tenancy/organizations/one/'));
  expect(inOne.length).toBeGreaterThan(10);
  expect(of(undefined, 'one')).toEqual(of('one', 'two'));
  expect(of(undefined, undefined)).toEqual(of('one', 'two').filter((path) => !inOne.includes(path)));
});

it.each([
  ['DELETE /api/media/:id', 'purge'],
  ['POST /api/v1/internal/platform/reconcile', 'dry_run'],
])('the switch of %s is true or false, and a refusal says only that', (key, path) => {
  const row = rows.find((each) => each.key === key)?.row as DocumentedRow;
  expect(errorsOf(row, key, { [path]: 'maybe' })).toContainEqual({ path, message: 'must be true or false' });
});

/** Returns what is wrong with a request that has nothing in it but this query. */
function errorsOf(row: DocumentedRow, key: string, query: Record<string, string> = {}): readonly InputError[] {
  try {
    readInput(row.input, key.split(' ')[0] as string, { params: {}, query, body: {}, headers: {} });
    return [];
  } catch (error) {
    if (error instanceof Refusal) return error.extensions['errors'] as InputError[];
    throw error;
  }
}
