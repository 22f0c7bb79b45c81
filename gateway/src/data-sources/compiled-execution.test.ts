import { pino } from 'pino';
import { logOptions } from '@foyer/shared/telemetry/log';
import { buildSchema, parse } from 'graphql';
import { expect, it } from 'vitest';

import { runPlan } from '../execution/execute.ts';
import { loadSupergraph } from '../testing/load-supergraph.ts';
import { gatewayRequest } from '../testing/gateway-request.ts';
import { operations, shops } from '../testing/shops.ts';
import { compiledExecution } from '@foyer/shared/graphql/compiled-execution';
import { subgraphDataSource } from './subgraph-data-source.ts';
import { inProcess } from '@foyer/shared/graphql/in-process';

const supergraph = loadSupergraph(shops.supergraphSdl);
const log = pino(logOptions('silent'));
const sourcesOf = ({ compiled }: { compiled: boolean }) =>
  Object.fromEntries(
    Object.entries(shops.schemas).map(([name, schema]) => [
      name,
      subgraphDataSource(
        inProcess(name, { schema, contextFor: () => ({}) }, log, compiled ? { execute: compiledExecution() } : {}),
      ),
    ]),
  );
const sources = { interpreted: sourcesOf({ compiled: false }), compiled: sourcesOf({ compiled: true }) };

async function answer(how: keyof typeof sources, query: string, variables: Record<string, unknown>) {
  const document = parse(query);
  const planned = supergraph.plan(document, undefined);
  const state = { supergraph, sources: sources[how] };
  const { data, errors } = await runPlan(state, planned, planned.queryPlan, gatewayRequest(document, variables));
  return { data: JSON.stringify(data), errors: errors?.map((error) => JSON.stringify(error)).toSorted() };
}

it.each(operations)('compiled documents answer as interpreted ones do: %s', async (_what, query, variables = {}) => {
  const expected = await answer('interpreted', query, variables);

  // At first it is interpreted here as well.
  for (let at = 0; at < 4; at += 1) expect(await answer('compiled', query, variables)).toEqual(expected);
});

it.each([
  [
    'a variable with a default that must not be null',
    'query ($short: Boolean! = true) { lastReview { body(short: $short) } }',
  ],
  ['a condition with such a default', 'query ($off: Boolean! = true) { me { id name @skip(if: $off) } }'],
  [
    'a fragment under two conditions',
    `query ($on: Boolean = false, $off: Boolean = false) { me { ...F @include(if: $on) ...F @skip(if: $off) } }
     fragment F on User { name friend { id name } }`,
  ],
])('compiled documents answer as interpreted ones do: %s', async (_what, query) => {
  const expected = await answer('interpreted', query, {});

  for (let at = 0; at < 4; at += 1) expect(await answer('compiled', query, {})).toEqual(expected);
});

it('a variable within an input that is left out is no null, however often the document comes', async () => {
  const schema = buildSchema(
    'input Filter { name: String = "any", size: Int } type Query { found(filter: Filter): String }',
  );
  const query = schema.getQueryType()?.getFields()['found'];
  if (query) query.resolve = (_parent, { filter }) => JSON.stringify(filter);
  const source = inProcess('shop', { schema, contextFor: () => ({}) }, log, { execute: compiledExecution() });
  const document = 'query ($name: String, $size: Int) { found(filter: { name: $name, size: $size }) }';
  for (let at = 0; at < 4; at += 1)
    expect(
      await source.fetch(
        { kind: 'query', operationName: undefined, query: document, variables: {} },
        gatewayRequest(parse(document)).context,
      ),
    ).toEqual({ data: { found: '{"name":"any"}' } });
});

it('fields of an input that have a default may be left out, however often the document comes', async () => {
  const schema = buildSchema(`
    input Filter { name: String! = "any", inner: Inner }
    input Inner { size: Int! = 7 }
    type Query { found(filter: Filter!): String }
  `);
  const query = schema.getQueryType()?.getFields()['found'];
  if (query) query.resolve = (_parent, { filter }) => JSON.stringify(filter);
  const source = inProcess('shop', { schema, contextFor: () => ({}) }, log, { execute: compiledExecution() });
  const document = 'query ($filter: Filter!) { found(filter: $filter) }';
  const variables = { filter: { inner: {} } };
  for (let at = 0; at < 4; at += 1)
    expect(
      await source.fetch(
        { kind: 'query', operationName: undefined, query: document, variables },
        gatewayRequest(parse(document)).context,
      ),
    ).toEqual({
      data: { found: '{"name":"any","inner":{"size":7}}' },
    });
});

it.each([
  ['itself', 'input Filter { size: Int inner: Filter }'],
  ['lists of itself', 'input Filter { size: Int inner: [Filter!] }'],
  ['another that holds it', 'input Filter { size: Int inner: Inner } input Inner { size: Int inner: Filter }'],
])('an input that contains %s is accepted, however often the document comes', async (_what, inputs) => {
  const schema = buildSchema(`${inputs} type Query { found(filter: Filter): String }`);
  const query = schema.getQueryType()?.getFields()['found'];
  if (query) query.resolve = (_parent, { filter }) => JSON.stringify(filter);
  const source = inProcess('shop', { schema, contextFor: () => ({}) }, log, { execute: compiledExecution() });
  const document = 'query ($filter: Filter) { found(filter: $filter) }';
  const variables = { filter: { size: 1, inner: { size: 2, inner: { size: 3 } } } };
  for (let at = 0; at < 4; at += 1) {
    const { data, errors } = await source.fetch(
      { kind: 'query', operationName: undefined, query: document, variables },
      gatewayRequest(parse(document)).context,
    );
    expect(errors).toBeUndefined();
    expect(JSON.stringify(data)).toContain('3');
  }
});
