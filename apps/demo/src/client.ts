import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { catchError, from, map, mergeMap, of, retry, throwError, timer } from 'rxjs';

import { isBusy, isPassing, isSessionLost, isUnauthenticated } from './refusals.ts';
import { refreshStaff, rememberCustomer } from './sessions.ts';
import { authorization, pauseMs, shopSocket, staffChanged, staffSocket } from './sockets.ts';

/** Operations of staff, who have cookies. All others are those of a customer, who has a token, or of nobody. */
const staffOperations = new Set([
  'Me',
  'StaffName',
  'Login',
  'Logout',
  'Library',
  'LibraryChanged',
  'Progress',
  'PrepareUpload',
]);
const isOfStaff = ({ operationName }: { operationName?: string | undefined }) =>
  staffOperations.has(operationName ?? '');

/** By how much the clock of the server is ahead of this one. */
let aheadMs = 0;
/** The time by the clock of the server, for what ends at a time that it has named. */
export const serverNow = (): number => Date.now() + aheadMs;

async function fetchAndReadClock(...request: Parameters<typeof fetch>) {
  const response = await fetch(...request);
  const date = Date.parse(response.headers.get('date') ?? '');
  // The header has whole seconds.
  if (date) aheadMs = Math.abs(date - Date.now()) < 2_000 ? 0 : date - Date.now();
  return response;
}

/**
 * Lets a session go on whose token has expired, or forgets it: then the operation is sent once more. Of operations that were
 * sent together, the first forgets the session, and each is sent again.
 */
const renewed = async (operation: ApolloLink.Operation) => {
  if (isOfStaff(operation)) return refreshStaff().catch(() => false);
  const { headers = {} } = operation.getContext() as { headers?: Record<string, string> };
  if (!headers['authorization']) return false;
  if (headers['authorization'] === authorization()['authorization']) rememberCustomer(undefined);
  return true;
};

const renewSession = new ErrorLink(({ error, result, operation, forward }) => {
  if (operation.getContext()['again'] === true || !isUnauthenticated(error)) return undefined;
  return from(renewed(operation)).pipe(
    mergeMap((isRenewed) => {
      if (!isRenewed) return result ? of(result) : throwError(() => error);
      operation.setContext({ again: true });
      return forward(operation);
    }),
  );
});

/** The result of an operation that is to be sent again. */
class RepeatError extends Error {
  readonly result: ApolloLink.Result;
  constructor(result: ApolloLink.Result) {
    super('to be sent again');
    this.result = result;
  }
}

const MOST_REPEATS = 3;

/** Sends an operation again, a little later each time, where the server was too busy to do anything. */
const repeatWhenBusy = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    map((result) => {
      if (isBusy(result)) throw new RepeatError(result);
      return result;
    }),
    retry({
      count: MOST_REPEATS,
      delay: (error, count) =>
        error instanceof RepeatError ? timer(pauseMs(count - 1)) : throwError(() => error as Error),
    }),
    catchError((error: unknown) => (error instanceof RepeatError ? of(error.result) : throwError(() => error))),
  ),
);

/** Whether a subscription that ended so may begin again; if for its session, that is renewed. */
async function mayFollow(operation: ApolloLink.Operation, error: unknown): Promise<boolean> {
  if (isPassing(error)) return true;
  if (!isSessionLost(error) || !isOfStaff(operation)) return false;
  const goesOn = await refreshStaff().catch(() => false);
  if (goesOn) staffChanged();
  return goesOn;
}

/** Subscribes again where a subscription ended for a reason that passes: it begins with what is true then. */
const followAgain = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    map((result) => {
      const { errors } = result;
      if (errors && (isPassing(errors) || isSessionLost(errors)))
        throw new CombinedGraphQLErrors({ ...result, errors });
      return result;
    }),
    retry({
      delay: (error, count) =>
        from(mayFollow(operation, error)).pipe(
          mergeMap((may) => (may ? timer(pauseMs(count - 1)) : throwError(() => error as Error))),
        ),
      resetOnSuccess: true,
    }),
  ),
);

export const client = new ApolloClient({
  cache: new InMemoryCache({
    typePolicies: {
      Order: { keyFields: ['orderNo'] },
      TicketGroup: { keyFields: ['ticketGroupId'] },
      TicketVariant: { keyFields: ['ticketVariantId'] },
      AdvertisingTicket: { keyFields: ['advertisingTicketId'] },
      RailMenu: { keyFields: ['railMenuId'] },
      OrderItem: { keyFields: ['orderTicketInfoId'] },
      DayAvailability: { keyFields: false },
    },
  }),
  link: ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    followAgain.concat(ApolloLink.split(isOfStaff, new GraphQLWsLink(staffSocket), new GraphQLWsLink(shopSocket))),
    ApolloLink.from([
      repeatWhenBusy,
      renewSession,
      new SetContextLink((_, operation) => ({ headers: isOfStaff(operation) ? {} : authorization() })),
      new HttpLink({ uri: '/graphql', fetch: fetchAndReadClock }),
    ]),
  ),
});
