import { randomUUID } from 'node:crypto';

import { databaseBusy } from '@foyer/shared/database-errors';
import { Refusal } from '@foyer/shared/errors';
import type { Carrier } from '@foyer/shared/telemetry/tracing';
import { unauthenticated } from '@foyer/shared/auth/viewer';
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql';
import type { Context, ServerOptions, SubscribePayload } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';

import { NotAdmitted, type Admitted } from '../admission/admission.ts';
import { readParams } from '../admission/params.ts';
import { publicErrorOf } from '@foyer/shared/graphql/error-masking';
import type { Needs } from '../request/context.ts';
import type { OperationContext } from '@foyer/shared/graphql/operation-context';
import { beginOperation, during, endOperation } from '@foyer/shared/graphql/operation-span';
import type { State } from '../supergraph/state.ts';
import { openConnection, type Connection } from './connection.ts';

/** Close codes of WebSocket itself (IANA's registry). */
const TRY_AGAIN_LATER = 1013;
const BAD_REQUEST = 4400;
const FORBIDDEN = 4403;
const INTERNAL_ERROR = 4500;

type Params = Readonly<Record<string, unknown>> | undefined;

/** The state of a socket. */
export interface Remembered extends Record<PropertyKey, unknown> {
  connection: Connection;
}

type SocketContext = Context<Params, Extra & Partial<Remembered>>;

/** The arguments that `onSubscribe` passes to `subscribe` and `execute`. */
interface Prepared extends ExecutionArgs {
  contextValue: { state: State; admitted: Admitted; context: OperationContext; connection: Connection };
}

/** Handles operations on a WebSocket by the rules of HTTP: authentication, admission, masked errors, request ids. */
export function operations(needs: Needs): ServerOptions<Params, Extra & Partial<Remembered>> {
  return {
    connectionInitWaitTimeout: needs.config.webSocket.initMs,
    onConnect: (context) => connect(needs, context),
    onSubscribe: (context, _id, payload) => prepare(needs, context, payload),
    subscribe: (args) => subscribe(needs, args as Prepared),
    execute: (args) => execute(needs, args as Prepared),
    onClose: ({ extra }) => extra.connection?.end(),
  };
}

/** `false` closes with 4403, if nothing else has closed it. */
async function connect(needs: Needs, { extra, connectionParams = {} }: SocketContext): Promise<boolean> {
  try {
    const connection = await openConnection(needs, extra, connectionParams);
    if (extra.socket.readyState !== extra.socket.OPEN) connection.end();
    extra.connection = connection;
    return connection.stillValid();
  } catch (error) {
    if (error instanceof Refusal) {
      if (error.code === 'BAD_USER_INPUT') extra.socket.close(BAD_REQUEST, `Invalid greeting: ${error.message}`);
      return false;
    }
    needs.log.error({ err: error }, 'a WebSocket client could not be signed in');
    // Clients reconnect after the first code, and not after the second.
    if (databaseBusy(error)) extra.socket.close(TRY_AGAIN_LATER, 'Try again later');
    else extra.socket.close(INTERNAL_ERROR, 'Internal server error');
    return false;
  }
}

/** An error here is the answer to this operation; an exception would close the connection with all its other operations. */
async function prepare(
  { config, log, admission, states }: Needs,
  { extra, subscriptions }: SocketContext,
  payload: SubscribePayload,
): Promise<Prepared | readonly GraphQLError[]> {
  let context: OperationContext | undefined;
  const failed = (error: unknown) => publicErrorOf(error, { requestId: context?.scope.requestId ?? randomUUID(), log });
  try {
    const { connection } = extra;
    if (!connection?.stillValid()) throw unauthenticated();
    if (Object.keys(subscriptions).length > config.webSocket.operations) throw tooMany(config.webSocket.operations);
    const asking = (context = await connection.context());
    beginOperation(asking, traceOf(payload));
    await admission.countRequest(asking);
    const state = states.current();
    const admitted = during(asking, () => admission.admit(readParams(payload), state.supergraph));
    const { operationName } = admitted;
    return {
      schema: state.supergraph.publicSchema,
      document: admitted.document,
      ...(operationName !== undefined && { operationName }),
      contextValue: { state, admitted, context: asking, connection },
    };
  } catch (error) {
    if (context) endOperation(context, error);
    if (error instanceof NotAdmitted) return error.errors.map(failed);
    if (error instanceof Refusal && error.code === 'UNAUTHENTICATED') extra.socket.close(FORBIDDEN, 'Forbidden');
    return [failed(error)];
  }
}

/** Browsers can't set headers on a WebSocket: `extensions` holds the trace of a client. */
const traceOf = ({ extensions }: SubscribePayload): Carrier | undefined =>
  typeof extensions?.['traceparent'] === 'string' ? extensions : undefined;

const tooMany = (most: number) =>
  new Refusal('RATE_LIMITED', 'TOO_MANY_OPERATIONS', `A connection may run at most ${most} operations at once.`);

async function execute({ execute, states }: Needs, { contextValue }: Prepared): Promise<ExecutionResult> {
  const { state, admitted, context } = contextValue;
  const release = states.retain(state);
  try {
    return await during(context, () => execute(state, admitted, context));
  } finally {
    endOperation(context);
    release();
  }
}

async function subscribe({ streams, log }: Needs, { contextValue }: Prepared) {
  const { state, admitted, context, connection } = contextValue;
  try {
    const results = await during(context, () => streams.open(state, admitted, context));
    endOperation(context, 'errors' in results ? results.errors[0] : undefined);
    return 'errors' in results ? results : whileValid(results, connection);
  } catch (error) {
    endOperation(context, error);
    return { errors: [publicErrorOf(error, { requestId: context.scope.requestId, log })] };
  }
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
  return {
    async next() {
      const result = await results.next();
      return result.done || connection.stillValid() ? result : finish();
    },
    return: finish,
    throw: finish,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
