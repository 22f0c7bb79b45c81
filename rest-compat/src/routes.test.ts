import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Refusal } from '@foyer/shared/errors';
import { fastify } from 'fastify';
import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { Unanswered } from './answered.ts';
import type { Config } from './config.ts';
import { notFoundBy } from './openapi/errors.ts';
import { rootFieldOf } from './openapi/operation.ts';
import { OtherAnswer, type DocumentedRow } from './route.ts';
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
