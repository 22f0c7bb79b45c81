/**
 * What this gateway relies on in Apollo's packages though Apollo does not document it; docs/federation.md lists it. An upgrade
 * that changes one of these fails here, by name, and not somewhere in an operation.
 */
import { operationFromDocument, Operation, Schema, SelectionSet, Supergraph } from '@apollo/federation-internals';
import { ApolloGateway, buildOperationContext, executeQueryPlan } from '@apollo/gateway';
import { GraphQLDataSourceRequestKind } from '@apollo/gateway/dist/datasources/types.js';
import { QueryPlanner } from '@apollo/query-planner';
import { parse } from 'graphql';
import { describe, expect, it, vi } from 'vitest';

import { supergraphAt } from '../testing/shops.ts';

describe("Apollo's undocumented interfaces", () => {
  it('are there', () => {
    const there = {
      '__testing of ApolloGateway': ApolloGateway.prototype.__testing,
      executeQueryPlan,
      buildOperationContext,
      'runWithBuiltInModificationAllowed of Schema': Schema.prototype['runWithBuiltInModificationAllowed'],
      'collectDefaultedVariableValues of Operation': Operation.prototype.collectDefaultedVariableValues,
      'expandFragments of SelectionSet': SelectionSet.prototype.expandFragments,
      'filterRecursiveDepthFirst of SelectionSet': SelectionSet.prototype.filterRecursiveDepthFirst,
      operationFromDocument,
    };

    expect(Object.entries(there).filter(([, found]) => typeof found !== 'function')).toEqual([]);
  });

  it('name the kinds of requests as before', () => {
    expect(GraphQLDataSourceRequestKind.INCOMING_OPERATION).toBe('incoming operation');
  });

  it('give the planner, and by it the supergraph, of a gateway that is loaded', async () => {
    vi.stubEnv('APOLLO_TELEMETRY_DISABLED', 'true');
    const gateway = new ApolloGateway({ supergraphSdl: supergraphAt({}) });
    try {
      await gateway.load();
      const { queryPlanner } = gateway.__testing();

      expect(queryPlanner?.supergraph).toBeInstanceOf(Supergraph);
      expect([...(queryPlanner?.supergraph.subgraphsMetadata() ?? [])].map(({ name }) => name)).toContain('users');
    } finally {
      await gateway.stop();
      vi.unstubAllEnvs();
    }
  });

  it('plan an operation of a document', () => {
    const supergraph = Supergraph.build(supergraphAt({}));
    const operation = operationFromDocument(supergraph.apiSchema(), parse('{ me { name } }'), {});
    const plan = new QueryPlanner(supergraph).buildQueryPlan(operation);

    expect(plan.node).toMatchObject({ kind: 'Fetch', serviceName: 'users' });
  });
});
