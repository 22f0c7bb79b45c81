import { inProcess } from '@foyer/shared/graphql/in-process';
import type { DataSource } from '@foyer/shared/graphql/data-source';
import { logOptions } from '@foyer/shared/telemetry/log';
import {
  isAbstractType,
  isCompositeType,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
  type GraphQLSchema,
} from 'graphql';
import { pino } from 'pino';
import { expect, it } from 'vitest';

import { subgraphDataSource, type SubgraphDataSource } from '../data-sources/subgraph-data-source.ts';
import { executeOperation, runPlan } from '../execution/execute.ts';
import { loadSupergraph } from '../testing/load-supergraph.ts';
import { guarded, guardedBlog } from '../testing/guarded-blog.ts';
import { gatewayRequest } from '../testing/gateway-request.ts';
import { randomQuery } from '../testing/random-query.ts';

const { supergraphSdl, schemas } = guardedBlog();
const supergraph = loadSupergraph(supergraphSdl);

const forAuthenticated = new Set(['User.email', 'User.notes', 'User.badge', 'User.greeting', 'PrivatePost.*']);

/** The fields that a document selects, on every type of object that they may be on. */
function coordinatesIn(schema: GraphQLSchema, query: string): string[] {
  const found: string[] = [];
  const types = new TypeInfo(schema);
  const seen = visitWithTypeInfo(types, {
    Field({ name }) {
      const parent = types.getParentType();
      if (!parent || !isCompositeType(parent) || name.value.startsWith('_')) return;
      const members = isAbstractType(parent) ? schema.getPossibleTypes(parent) : [parent];
      for (const member of members) found.push(`${member.name}.${name.value}`, `${member.name}.*`);
    },
  });
  visit(parse(query), seen);
  return found;
}

/** Runs an operation, and returns what the subgraphs were sent, too. */
async function run(query: string, access?: { authenticated: boolean; scopes: string[]; policies: string[] }) {
  const asked: string[] = [];
  const recorded = (name: keyof typeof schemas): SubgraphDataSource => {
    const schema = schemas[name];
    const source = inProcess(name, { schema, contextFor: (scope) => ({ scope }) }, pino(logOptions('silent')));
    const fetch: DataSource['fetch'] = (fetched, context) => {
      asked.push(...coordinatesIn(schema, fetched.query));
      return source.fetch(fetched, context);
    };
    return subgraphDataSource({ ...source, fetch });
  };
  const sources = { people: recorded('people'), blog: recorded('blog') };
  const request = gatewayRequest(parse(query), {}, access);
  const planned = await supergraph.planFor(request.document, undefined, request.context.scope);
  const result = await executeOperation(runPlan, { supergraph, sources }, planned, request);
  return { asked: new Set(asked), result, text: JSON.stringify(result.data) };
}

/** Random operations that are valid. */
function* operations() {
  for (let seed = 1; seed <= 120; seed += 1) {
    const query = randomQuery(supergraph.publicSchema, seed);
    if (validate(supergraph.publicSchema, parse(query)).length === 0) yield query;
  }
}

/** What the fields above hold, as values in JSON. */
const values = /"[^"]*(?:secret|notes of|private|@example\.com|badge|HAPPY|draft)[^"]*"(?!:)|:(?:1|7|1000|5000)\b/u;

it(
  'no random operation asks a subgraph for what its caller may not see, or shows it',
  { timeout: 60_000 },
  async () => {
    const counts = { operations: 0, refused: 0, answered: 0 };
    for (const query of operations()) {
      const { asked, result, text } = await run(query);
      const leaked = [...asked].filter((coordinates) => guarded.has(coordinates));

      expect({ query, leaked }).toEqual({ query, leaked: [] });
      expect({ query, shown: values.exec(text ?? '')?.[0] }).toEqual({ query, shown: undefined });
      counts.operations += 1;
      counts.refused += result.errors ? 1 : 0;
      counts.answered += asked.size > 0 ? 1 : 0;
    }
    expect(counts.operations).toBeGreaterThan(60);
    expect(counts.refused).toBeGreaterThan(40);
    expect(counts.answered).toBeGreaterThan(40);
  },
);

it('neither for a caller who may see a part', { timeout: 60_000 }, async () => {
  const stillGuarded = guarded.difference(forAuthenticated);
  const asked = new Set<string>();
  for (const query of operations()) {
    const ran = await run(query, { authenticated: true, scopes: ['hr', 'read:nothing'], policies: ['author'] });
    for (const coordinates of ran.asked) asked.add(coordinates);
  }

  expect([...asked].filter((coordinates) => stillGuarded.has(coordinates))).toEqual([]);
  expect([...asked]).toEqual(expect.arrayContaining([...forAuthenticated]));
});

it('a caller who may see everything is answered as if nothing were guarded', { timeout: 60_000 }, async () => {
  const scopes = ['admin', 'read:secrets'];
  const policies = ['friend', 'editor'];
  for (const query of operations()) {
    const { result, text } = await run(query, { authenticated: true, scopes, policies });

    expect({ query, errors: result.errors }).toEqual({ query, errors: undefined });
    expect({ query, extensions: result.extensions }).toEqual({ query, extensions: undefined });
    expect(text).not.toBe('null');
  }
});
