import type { ApolloServerPlugin, GraphQLRequestContext } from '@apollo/server';
import type { GraphQLError } from 'graphql';

import type { GatewayContext } from '../request/context.ts';

const refusals = new WeakMap<object, GraphQLError>();

/**
 * Refuses a request from `requestDidStart`: ApolloServer answers 500 to whatever that hook throws. Nothing of the client's
 * document is parsed.
 */
export function refuse({ request }: GraphQLRequestContext<GatewayContext>, error: GraphQLError): void {
  refusals.set(request, error);
  Object.assign(request, { query: '{ __typename }', operationName: undefined, extensions: undefined });
}

/** Whether a plugin has refused the request. */
export const isRefused = ({ request }: GraphQLRequestContext<GatewayContext>): boolean => refusals.has(request);

/** Answers the requests that `refuse` has marked. It comes before those that look at an operation. */
export const refusedRequests = (): ApolloServerPlugin<GatewayContext> => ({
  requestDidStart: async () => ({
    async didResolveOperation({ request }) {
      const refusal = refusals.get(request);
      if (refusal) throw refusal;
    },
  }),
});
