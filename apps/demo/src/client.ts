import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';

/** A customer's token is kept in memory only; staff have cookies that no script can read. */
let customerToken: string | undefined;
const authorization = (): Record<string, string> => (customerToken ? { authorization: `Bearer ${customerToken}` } : {});

const socket = createClient({
  url: new URL('/graphql', window.location.href.replace(/^http/, 'ws')).href,
  connectionParams: authorization,
  retryAttempts: Infinity,
  shouldRetry: () => true,
});

export const client = new ApolloClient({
  cache: new InMemoryCache({
    typePolicies: {
      Order: { keyFields: ['orderNo'] },
      TicketGroup: { keyFields: ['ticketGroupId'] },
      TicketVariant: { keyFields: ['ticketVariantId'] },
      DayAvailability: { keyFields: false },
    },
  }),
  link: ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    new GraphQLWsLink(socket),
    ApolloLink.from([
      new SetContextLink(({ headers }) => ({ headers: { ...headers, ...authorization() } })),
      new HttpLink({ uri: '/graphql' }),
    ]),
  ),
});

/** A WebSocket is authenticated when it opens: after sign-in or sign-out the next subscription opens a new one. */
export function viewerChanged(token?: string): void {
  customerToken = token;
  socket.terminate();
}

/** The reason of a refusal, for programs: see docs/errors.md. */
export const reasonOf = (error: unknown): unknown =>
  CombinedGraphQLErrors.is(error) ? error.errors[0]?.extensions?.['reason'] : undefined;
