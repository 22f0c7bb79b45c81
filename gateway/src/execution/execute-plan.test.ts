import { buildOperationContext, executeQueryPlan, type GraphQLDataSource } from '@apollo/gateway';
import { Supergraph as ComposedSupergraph } from '@apollo/federation-internals';
import { execute, GraphQLError, parse, validate, type ExecutionResult } from 'graphql';
import { describe, expect, it } from 'vitest';

import type { DataSource } from '@foyer/shared/graphql/data-source';
import { runPlan } from './execute.ts';
import { operationContext } from '@foyer/shared/graphql/operation-context';
import { loadSupergraph } from '../supergraph/supergraph.ts';
import { randomQuery } from '../testing/random-query.ts';
import { operations, hostile, shops } from '../testing/shops.ts';

const sdl = shops.supergraphSdl;
const fullSchema = ComposedSupergraph.build(sdl).schema.toGraphQLJSSchema();
const supergraph = loadSupergraph(sdl);

type Spoil = (subgraph: string, answer: ExecutionResult) => ExecutionResult;

async function ask(subgraph: string, query: string, variableValues: Record<string, unknown>, spoil: Spoil) {
  const schema = shops.schemas[subgraph];
  if (!schema) throw new Error(`there is no subgraph ${subgraph}`);
  const answer = await execute({ schema, document: parse(query), variableValues });
  return spoil(subgraph, JSON.parse(JSON.stringify(answer)) as ExecutionResult);
}

/** The answer of @apollo/gateway itself. */
async function stock(query: string, variables: Record<string, unknown>, spoil: Spoil) {
  const document = parse(query);
  const source = (name: string) => ({
    process: async ({ request }: { request: { query: string; variables: Record<string, unknown> } }) =>
      ask(name, request.query, request.variables, spoil),
  });
  const services = Object.fromEntries(supergraph.subgraphs.map(({ name }) => [name, source(name)]));
  return executeQueryPlan(
    supergraph.plan(document, undefined).queryPlan,
    services as unknown as Record<string, GraphQLDataSource>,
    { request: { variables }, context: {}, metrics: {} } as unknown as Parameters<typeof executeQueryPlan>[2],
    buildOperationContext({ schema: supergraph.publicSchema, operationDocument: document }),
    fullSchema,
    supergraph.apiSchema,
  );
}

async function ours(query: string, variables: Record<string, unknown>, spoil: Spoil) {
  const source = (name: string): DataSource => ({
    async fetch(fetch) {
      const { data, errors } = await ask(name, fetch.query, fetch.variables, spoil);
      const told = errors?.map(({ message, path, extensions }) => new GraphQLError(message, { path, extensions }));
      return { ...(data !== undefined && { data }), ...(told && { errors: told }) };
    },
    subscribe: () => Promise.reject(new Error('not here')),
  });
  const sources = Object.fromEntries(supergraph.subgraphs.map(({ name }) => [name, source(name)]));
  const planned = supergraph.plan(parse(query), undefined);
  const scope = {
    requestId: 'plan',
    viewer: null,
    client: { address: '', userAgent: '' },
    signal: new AbortController().signal,
    reply: { cookies: [] },
  };
  return runPlan({ supergraph, sources }, planned, planned.queryPlan, variables, operationContext(scope));
}

/** The order of errors is that of the fetches, which run side by side. */
const comparable = ({ data, errors, extensions }: ExecutionResult) => ({
  json: JSON.stringify(data),
  errors: errors?.map(({ message, path, extensions: { code } }) => JSON.stringify({ message, path, code })).toSorted(),
  completion: JSON.stringify(extensions?.['valueCompletion']),
});

const asIs: Spoil = (_subgraph, answer) => answer;

describe('the executor gives the same bytes as that of @apollo/gateway', () => {
  it.each(operations)('%s', async (_what, query, variables = {}) => {
    const expected = await stock(query, variables, asIs);

    expect(comparable(await ours(query, variables, asIs))).toEqual(comparable(expected));
    expect(Object.keys(expected.data ?? {}).length).toBeGreaterThan(0);
  });

  it.each(hostile)('also when %s', async (_what, spoil, query) => {
    expect(comparable(await ours(query, {}, spoil))).toEqual(comparable(await stock(query, {}, spoil)));
  });
});

describe('random queries', () => {
  it('get the answers of @apollo/gateway', async () => {
    let [compared, withErrors] = [0, 0];
    for (let seed = 1; seed <= 60; seed += 1) {
      const query = randomQuery(supergraph.publicSchema, seed);
      const broken = validate(supergraph.publicSchema, parse(query));
      if (broken.length > 0) continue; // fields that can't be merged
      const expected = comparable(await stock(query, {}, asIs));

      expect({ seed, query, ...comparable(await ours(query, {}, asIs)) }).toEqual({ seed, query, ...expected });
      compared += 1;
      withErrors += expected.errors ? 1 : 0;
    }
    expect(compared).toBeGreaterThan(40);
    expect(withErrors).toBeGreaterThan(5);
  });
});

describe('an entity that occurs often', () => {
  it('is fetched once, and its error is reported at each place', async () => {
    const answered: string[] = [];
    const query = '{ products { reviews { author { name failing } } } }';
    const seen: Spoil = (_subgraph, answer) => {
      const entities = answer.data?.['_entities'];
      if (entities) answered.push(JSON.stringify(entities));
      return answer;
    };

    const { data, errors } = await ours(query, {}, seen);

    const authors = answered.find((entities) => entities.includes('"name"'));
    expect(JSON.parse(authors ?? '')).toHaveLength(2);
    const places = (data as { products: { reviews: unknown[] }[] }).products.flatMap(({ reviews }) => reviews);
    expect(errors).toHaveLength(places.length);
  });
});
