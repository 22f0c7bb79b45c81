import type { ApolloServerPlugin } from '@apollo/server';
import { Refusal } from '@foyer/shared/errors';
import { OperationTypeNode } from 'graphql';

import { badRequest } from '../request/params.ts';
import type { GatewayContext } from '../request/context.ts';
import { requireOperation } from '../supergraph/supergraph.ts';

/** Refuses what the transport of an operation can't carry. */
export const transport = (): ApolloServerPlugin<GatewayContext> => ({
  async requestDidStart({ request, contextValue: { outcome, carriesStreams, readOnly } }) {
    // "GraphQL over HTTP" has it so; ApolloServer would look for an operation of that name.
    if (request.operationName === '') Object.assign(request, { operationName: undefined });
    return {
      async didResolveOperation({ document, request }) {
        // ApolloServer executes a request whose operation it has not found, for the executor to say so.
        const { operation } = requireOperation(document, request.operationName);
        if (operation === OperationTypeNode.SUBSCRIPTION && !carriesStreams) throw subscriptionOverHttp();
        // ApolloServer itself checks only requests that come through its HTTP layer.
        if (operation === OperationTypeNode.MUTATION && readOnly) throw mutationByGet();
        outcome.document = document;
      },
    };
  },
});

const mutationByGet = () =>
  badRequest('GET takes queries and subscriptions only.', { status: 405, headers: { allow: 'POST' } });

const subscriptionOverHttp = () =>
  new Refusal(
    'BAD_USER_INPUT',
    'SUBSCRIPTION_OVER_HTTP',
    'Subscriptions run over WebSocket at this address (graphql-transport-ws), or as text/event-stream or multipart/mixed.',
    { http: { status: 405, headers: { allow: 'POST' } } },
  );
