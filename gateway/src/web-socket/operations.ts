import { randomUUID } from 'node:crypto';

import { unauthenticated } from '@foyer/shared/auth/viewer';
import { databaseBusy } from '@foyer/shared/database-errors';
import { Refusal } from '@foyer/shared/errors';
import { publicErrorOf } from '@foyer/shared/graphql/error-masking';
import { beginOperation, during, endOperation } from '@foyer/shared/graphql/operation-span';
import type { Carrier } from '@foyer/shared/telemetry/tracing';
import { GraphQLSchema, type ExecutionArgs, type ExecutionResult, type GraphQLError } from 'graphql';
import { CloseCode, type Context, type ServerOptions, type SubscribePayload } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import type { WebSocket } from 'ws';

import { asHttpRequest } from '../request/http-request.ts';
import { readParams } from '../request/params.ts';
import { singleResult } from '../request/single-result.ts';
import type { WebSocketNeeds } from './needs.ts';
import type { GatewayContext } from '../request/context.ts';
import { openConnection, type Connection } from './connection.ts';

/** A close code of WebSocket itself (IANA's registry). */
const TRY_AGAIN_LATER = 1013;

type Params = Readonly<Record<string, unknown>> | undefined;

/** The state of a socket. */
export interface Remembered extends Record<PropertyKey, unknown> {
  connection: Connection;
}

const contexts = new WeakMap<WebSocket, SocketContext>();

/** Whether a query or mutation is under way on a socket: graphql-ws has null for an operation that is no stream of results. */
export const isBusy = (socket: WebSocket): boolean =>
  Object.values(contexts.get(socket)?.subscriptions ?? {}).includes(null);

type SocketContext = Context<Params, Extra & Partial<Remembered>>;

/** What `onSubscribe` passes to `subscribe` and `execute`: the operation has run by then. */
interface Prepared extends ExecutionArgs {
  contextValue: { result: ExecutionResult; context: GatewayContext; connection: Connection };
}

/** Handles operations on a WebSocket by the rules of HTTP: authentication, admission, masked errors, request ids. */
export function operations(needs: WebSocketNeeds): ServerOptions<Params, Extra & Partial<Remembered>> {
  return {
    connectionInitWaitTimeout: needs.config.webSocket.initMs,
    onConnect: (context) => connect(needs, context),
    onSubscribe: (context, id, payload) => prepare(needs, context, id, payload),
    subscribe: async (args) => subscribe(args as Prepared),
    execute: (args) => (args as Prepared).contextValue.result,
    onClose: ({ extra }) => extra.connection?.end(),
  };
}

/** `false` closes with 4403, if nothing else has closed it. */
async function connect(needs: WebSocketNeeds, context: SocketContext): Promise<boolean> {
  const { extra, connectionParams = {} } = context;
  try {
    const connection = await openConnection(needs, extra, connectionParams);
    if (extra.socket.readyState !== extra.socket.OPEN) connection.end();
    extra.connection = connection;
    Reflect.deleteProperty(extra, 'request'); // the connection has what is needed of it, in less memory
    contexts.set(extra.socket, context);
    return connection.stillValid();
  } catch (error) {
    if (error instanceof Refusal) {
      if (error.code === 'BAD_USER_INPUT')
        extra.socket.close(CloseCode.BadRequest, `Invalid greeting: ${error.message}`);
      if (error.code === 'UPSTREAM_UNAVAILABLE') extra.socket.close(TRY_AGAIN_LATER, 'Try again later');
      return false;
    }
    needs.log.error({ err: error }, 'a WebSocket client could not be signed in');
    // graphql-ws connects again after the first code, and not after the second.
    if (databaseBusy(error)) extra.socket.close(TRY_AGAIN_LATER, 'Try again later');
    else extra.socket.close(CloseCode.InternalServerError, 'Internal server error');
    return false;
  }
}

/**
 * Runs an operation through ApolloServer. An error here is the answer to this operation; an exception would close the
 * connection with all its other operations.
 */
async function prepare(
  { server, config, log, stopping }: WebSocketNeeds,
  { extra, subscriptions }: SocketContext,
  id: string,
  payload: SubscribePayload,
): Promise<Prepared | readonly GraphQLError[]> {
  let context: GatewayContext | undefined;
  const failed = (error: unknown) => publicErrorOf(error, { requestId: context?.scope.requestId ?? randomUUID(), log });
  try {
    const { connection } = extra;
    if (stopping.aborted) throw goingAway();
    if (!connection?.stillValid()) throw unauthenticated();
    connection.running.add(id);
    const all = new Set([...Object.keys(subscriptions), ...connection.running]);
    if (all.size > config.webSocket.operations) throw tooMany(config.webSocket.operations);
    const operation = (context = await connection.context());
    beginOperation(operation, traceOf(payload));
    const params = readParams(payload);
    const http = asHttpRequest(connection.headers, payload);
    const answer = await during(operation, () =>
      server.executeOperation({ ...params, http }, { contextValue: operation }),
    );
    const result = singleResult(answer);
    endOperation(operation);
    const { document, executed } = operation.outcome;
    // A plugin of the operator may have responded without executing it.
    if (!document || (!executed && result.data === undefined)) return result.errors ?? [];
    const { operationName } = params;
    return {
      schema: noSchema,
      document,
      ...(operationName !== undefined && { operationName }),
      contextValue: { result, context: operation, connection },
    };
  } catch (error) {
    if (context) endOperation(context, error);
    void context?.outcome.results?.return?.(); // ApolloServer failed after it began
    if (error instanceof Refusal && error.code === 'UNAUTHENTICATED')
      extra.socket.close(CloseCode.Forbidden, 'Forbidden');
    return [failed(error)];
  } finally {
    extra.connection?.running.delete(id);
  }
}

/** graphql-ws needs one for its own `execute` and `subscribe`. */
const noSchema = new GraphQLSchema({});

/** Browsers can't set headers on a WebSocket: `extensions` holds the trace of a client. */
const traceOf = ({ extensions }: SubscribePayload): Carrier | undefined =>
  typeof extensions?.['traceparent'] === 'string' ? extensions : undefined;

const tooMany = (most: number) =>
  new Refusal('RATE_LIMITED', 'TOO_MANY_OPERATIONS', `A connection may run at most ${most} operations at once.`);

const goingAway = () =>
  new Refusal('UPSTREAM_UNAVAILABLE', 'SERVER_STOPPING', 'This server is being stopped: connect again.');

function subscribe({ contextValue: { result, context, connection } }: Prepared) {
  const { results } = context.outcome;
  return results ? whileValid(results, connection) : result;
}

/** Yields results as long as the token is valid. */
function whileValid(
  results: AsyncIterableIterator<ExecutionResult>,
  connection: Connection,
): AsyncIterableIterator<ExecutionResult> {
  const finish = async (): Promise<IteratorResult<ExecutionResult>> => {
    await results.return?.();
    return { done: true, value: undefined };
  };
  const checked = (result: IteratorResult<ExecutionResult>) =>
    result.done || connection.stillValid() ? result : finish();
  return {
    next: () => results.next().then(checked),
    return: finish,
    throw: finish,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
