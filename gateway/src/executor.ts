import { during } from '@foyer/shared/graphql/operation-span';
import { GraphQLError, OperationTypeNode } from 'graphql';

import type { GatewayContext } from './request/context.ts';
import type { Execute, GatewayRequest } from './request/gateway-request.ts';
import type { Streams } from './streams/streams.ts';
import type { States } from './supergraph/state.ts';
import { executeOperation, type RunPlan } from './execution/execute.ts';
import { planOf } from './plugins/planning.ts';

interface Needs {
  states: States;
  streams: Streams;
  runPlan: RunPlan;
}

/**
 * What ApolloServer calls to execute an operation. The results of a subscription are left in the context, for the transport:
 * ApolloServer has no place for them.
 */
export const executor =
  ({ states, streams, runPlan }: Needs): NonNullable<Execute> =>
  async (requestContext) => {
    const context = requestContext.context as GatewayContext;
    const request: GatewayRequest = { ...requestContext, context };
    const state = states.of(request.schema);
    context.outcome.executed = true;
    try {
      return await during(context, async () => {
        const planned = await planOf(state, request);
        if (request.operation.operation !== OperationTypeNode.SUBSCRIPTION)
          return executeOperation(runPlan, state, planned, request);
        const { unauthorized } = planned;
        if (!planned.queryPlan.node && unauthorized) {
          return { errors: unauthorized({ ...planned.defaults, ...request.request.variables }) };
        }
        const opened = await streams.open(state, planned, request);
        if ('errors' in opened) return { errors: opened.errors };
        context.outcome.results = opened;
        return {};
      });
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  };
