import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { createClient, type Client } from 'graphql-ws';
import { catchError, from, map, mergeMap, of, retry, throwError, timer } from 'rxjs';

import { currentCustomer, refreshStaff, rememberCustomer, watchCustomer } from './sessions.ts';

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

const authorization = (): Record<string, string> => {
  const token = currentCustomer()?.token;
  return token ? { authorization: `Bearer ${token}` } : {};
};

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

const FORBIDDEN_CLOSE = 4403;

/** A WebSocket is authenticated when it opens. One that was refused for its cookies is opened again after a refresh. */
function openSocket(connectionParams: () => Record<string, string>, refresh: () => Promise<unknown>): Client {
  let refused = false;
  return createClient({
    url: async () => {
      if (refused) await refresh().catch(() => undefined);
      refused = false;
      return new URL('/graphql', window.location.href.replace(/^http/, 'ws')).href;
    },
    connectionParams,
    retryAttempts: Infinity,
    shouldRetry: () => true,
    on: {
      closed: (event) => {
        refused = (event as CloseEvent).code === FORBIDDEN_CLOSE;
      },
    },
  });
}

const staffSocket = openSocket(() => ({}), refreshStaff);
const shopSocket = openSocket(authorization, async () => rememberCustomer(undefined));
watchCustomer(() => shopSocket.terminate());
/** After staff has signed in or out, the next subscription opens another WebSocket. */
export const staffChanged = (): void => staffSocket.terminate();

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
const SECOND_MS = 1_000;
const LONGEST_PAUSE_SECONDS = 30;

/** Sends an operation again, a little later each time, where the server was too busy to do anything. */
const repeatWhenBusy = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    map((result) => {
      if (isBusy(result)) throw new RepeatError(result);
      return result;
    }),
    retry({
      count: MOST_REPEATS,
      // A subscription that is refused at its beginning is an error; one that ends later, a last result.
      delay: (error, count) =>
        error instanceof RepeatError || isGone(error)
          ? timer((count - Math.random() / 2) * SECOND_MS)
          : throwError(() => error as Error),
    }),
    catchError((error: unknown) => (error instanceof RepeatError ? of(error.result) : throwError(() => error))),
  ),
);

/** Subscribes again where the part of the platform that it follows is being replaced: it begins with what is true then. */
const followAgain = new ApolloLink((operation, forward) =>
  forward(operation).pipe(
    map((result) => {
      if (isGone(result.errors)) throw new RepeatError(result);
      return result;
    }),
    retry({
      delay: (error, count) =>
        error instanceof RepeatError
          ? timer(Math.min(count - Math.random() / 2, LONGEST_PAUSE_SECONDS) * SECOND_MS)
          : throwError(() => error as Error),
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

type Facts = Record<string, unknown> & { reason?: unknown; code?: unknown };

/** A refusal that did not come by GraphQL. */
export class RefusedError extends Error {
  readonly facts: Facts;
  constructor(facts: Facts) {
    super(String(facts.reason));
    this.facts = facts;
  }
}

/** What the server says about a refusal (docs/errors.md). */
export function refusalOf(error: unknown): Facts {
  if (error instanceof RefusedError) return error.facts;
  if (CombinedGraphQLErrors.is(error)) return error.errors[0]?.extensions ?? {};
  if (Array.isArray(error)) return (error[0] as { extensions?: Facts } | undefined)?.extensions ?? {}; // of a WebSocket
  if (!ServerError.is(error)) return {};
  try {
    const { errors } = JSON.parse(error.bodyText) as { errors?: { extensions?: Facts }[] };
    return errors?.[0]?.extensions ?? {};
  } catch {
    return {};
  }
}

/** The reason of a refusal, for programs. */
export const reasonOf = (error: unknown): unknown => {
  const { reason, code } = refusalOf(error);
  return reason ?? code;
};

const isGone = (error: unknown) => reasonOf(error) === 'SUBGRAPH_UNAVAILABLE';

/** Whether nothing was done because the server was busy; without a part that was. */
const isBusy = ({ data, errors }: ApolloLink.Result) => {
  const { reason, outcome } = refusalOf(errors);
  return (
    reason === 'DATABASE_BUSY' && outcome === undefined && Object.values(data ?? {}).every((field) => field === null)
  );
};

const isUnauthenticated = (error: unknown) => reasonOf(error) === 'UNAUTHENTICATED';
