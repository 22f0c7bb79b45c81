import { Refusal } from '@foyer/shared/errors';
import { GraphQLError } from 'graphql';

/** The error for a request that violates the protocol. */
export const protocolError = (status: number, message: string, headers: Record<string, string> = {}) =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', http: { status, headers } } });

export const subscriptionOverHttp = () =>
  new Refusal(
    'BAD_USER_INPUT',
    'SUBSCRIPTION_OVER_HTTP',
    'Subscriptions run over WebSocket at this address (graphql-transport-ws), or as text/event-stream.',
    { http: { status: 405, headers: { allow: 'POST' } } },
  );
