import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { createClient, type Client } from 'graphql-ws';
import {
  catchError,
  filter,
  firstValueFrom,
  from,
  fromEvent,
  map,
  merge,
  mergeMap,
  of,
  retry,
  throwError,
  timer,
} from 'rxjs';

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

const SECOND_MS = 1_000;
const LONGEST_PAUSE_SECONDS = 30;

/** How long to wait after some attempts: longer each time, and not as long as all the others. */
const pauseMs = (attempts: number) =>
  Math.min(2 ** attempts, LONGEST_PAUSE_SECONDS) * (1 - Math.random() / 2) * SECOND_MS;

/** Somebody looks at the page again, or its browser is online again. */
export const returned = merge(
  fromEvent(window, 'online'),
  fromEvent(document, 'visibilitychange').pipe(filter(() => document.visibilityState === 'visible')),
);

const FORBIDDEN_CLOSE = 4403;
const PING_MS = 10_000;
const PONG_MS = 5_000;

/**
 * A WebSocket is authenticated when it opens. One that was refused for its cookies is opened again after a refresh. One that does
 * not answer is closed, and opened again: a connection may be lost without a word.
 */
function openSocket(connectionParams: () => Record<string, string>, refresh: () => Promise<unknown>): Client {
  let refused = false;
  let unanswered: ReturnType<typeof setTimeout>;
  const socket = createClient({
    url: async () => {
      if (refused) await refresh().catch(() => undefined);
      refused = false;
      return new URL('/graphql', window.location.href.replace(/^http/, 'ws')).href;
    },
    connectionParams,
    retryAttempts: Infinity,
    shouldRetry: () => true,
    retryWait: async (attempts) => void (await firstValueFrom(merge(timer(pauseMs(attempts)), returned))),
    keepAlive: PING_MS,
    on: {
      ping: (isReceived) => {
        if (!isReceived) unanswered = setTimeout(() => socket.terminate(), PONG_MS);
      },
      pong: (isReceived) => {
        if (isReceived) clearTimeout(unanswered);
      },
      closed: (event) => {
        clearTimeout(unanswered);
        refused = (event as CloseEvent).code === FORBIDDEN_CLOSE;
      },
    },
  });
  return socket;
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

/** Reasons that pass soon, or with the next attempt. */
const passing = new Set<unknown>([
  'SUBGRAPH_UNAVAILABLE',
  'SUBGRAPH_TIMEOUT',
  'DATABASE_BUSY',
  'SERVER_STOPPING',
  'RIGHTS_CHANGED',
  'SUBSCRIPTION_SCHEMA_RELOAD',
]);
/** Whether what only reads may be tried again. */
export const isPassing = (error: unknown): boolean => passing.has(reasonOf(error));

/** Whether nothing was done because the server was busy; without a part that was. */
const isBusy = ({ data, errors }: ApolloLink.Result) => {
  const { reason, outcome } = refusalOf(errors);
  return (
    reason === 'DATABASE_BUSY' && outcome === undefined && Object.values(data ?? {}).every((field) => field === null)
  );
};

/** The last event of a stream has a more exact reason. */
const isSessionLost = (error: unknown) => refusalOf(error).code === 'UNAUTHENTICATED';

const isUnauthenticated = (error: unknown) => reasonOf(error) === 'UNAUTHENTICATED';
