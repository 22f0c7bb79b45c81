import { operationFromDocument, Supergraph } from '@apollo/federation-internals';
import { prettyFormatQueryPlan, QueryPlanner } from '@apollo/query-planner';
import { parse } from 'graphql';
import { expect, it } from 'vitest';

import { shops } from '../testing/shops.ts';
import { withoutIntrospection } from './without-introspection.ts';

const supergraph = Supergraph.build(shops.supergraphSdl);
const apiSchema = supergraph.apiSchema();
const planner = new QueryPlanner(supergraph);
const operationOf = (query: string) => operationFromDocument(apiSchema, parse(query));
const planOf = (query: string) => planner.buildQueryPlan(withoutIntrospection(operationOf(query)));

it.each([
  ['query ($a: Boolean!) { ... @include(if: $a) { __type(name: "User") { kind } } }'],
  ['query ($a: Boolean!) { ... @skip(if: $a) { ... @include(if: $a) { __schema { queryType { name } } } } }'],
  ['query ($a: Boolean!) { ...F @include(if: $a) } fragment F on Query { __type(name: "User") { kind } }'],
])('a query of the schema alone needs no plan: %s', (query) => {
  expect(planOf(query)).toEqual({ kind: 'QueryPlan' });
});

it('the fields beside introspection are planned as if alone', () => {
  const beside = 'query ($a: Boolean!) { ... @include(if: $a) { me { name } __schema { queryType { name } } } }';
  const alone = 'query ($a: Boolean!) { ... @include(if: $a) { me { name } } }';

  expect(prettyFormatQueryPlan(planOf(beside))).toBe(prettyFormatQueryPlan(planOf(alone)));
});

it('an operation without introspection stays as it is', () => {
  const operation = operationOf('{ ...F } fragment F on Query { __typename me { name } }');

  expect(withoutIntrospection(operation).toString(false)).toBe(operation.toString(false));
});
