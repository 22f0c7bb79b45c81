import { randomUUID } from 'node:crypto';

import type { Authenticate } from '@foyer/shared/authentication';
import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import type { Log } from '@foyer/shared/log';
import type { RequestScope } from '@foyer/shared/request';
import { unauthenticated } from '@foyer/shared/viewer';
import { GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { Context, ServerOptions, SubscribePayload } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';

import type { Config } from '../config.ts';
import type { DataSources } from '../data-sources/data-source.ts';
import { documentReader, type DocumentRules } from '../documents.ts';
import { publicErrorOf } from '../errors.ts';
import type { Operation } from '../execute.ts';
import type { Supergraph } from '../supergraph.ts';
import { openConnection, type Connection } from './connection.ts';
import { openStream, type Stream } from './stream.ts';

const FORBIDDEN = 4403;
const INTERNAL_ERROR = 4500;

export interface Needs {
  authenticate: Authenticate;
  clock: Clock;
  config: Config;
  log: Log;
  rules: DocumentRules;
  /** The supergraph of this moment. */
  supergraph(): Supergraph;
  sources: DataSources;
  execute(operation: Operation, scope: RequestScope, supergraph: Supergraph): Promise<ExecutionResult>;
}

type Params = Readonly<Record<string, unknown>> | undefined;

/** What we remember of a socket. */
export interface Remembered extends Record<PropertyKey, unknown> {
  connection: Connection;
}

type SocketContext = Context<Params, Extra & Partial<Remembered>>;

/** What `onSubscribe` hands to `subscribe` and `execute`. */
interface Prepared extends ExecutionArgs {
  contextValue: { supergraph: Supergraph; scope: RequestScope; connection: Connection };
}

/**
 * What happens on a WebSocket, by the rules that hold over HTTP: who asks, the limits of a document,
 * masked errors, request ids.
 *
 * @param streams the running ones
 */
export function operations(needs: Needs, streams: Set<Stream>): ServerOptions<Params, Extra & Partial<Remembered>> {
  const read = documentReader(needs.rules);
  return {
    onConnect: (context) => connect(needs, context),
    onSubscribe: (context, _id, payload) => prepare(needs, read, context, payload),
    subscribe: (args) => subscribe(needs, streams, args as Prepared),
    execute(args) {
      const { scope, supergraph } = (args as Prepared).contextValue;
      return needs.execute(operationOf(args), scope, supergraph);
    },
    onClose: ({ extra }) => extra.connection?.end(),
  };
}

/** `false` closes with 4403. */
async function connect(needs: Needs, { extra, connectionParams }: SocketContext): Promise<boolean> {
  try {
    const connection = await openConnection(needs, extra, connectionParams);
    if (extra.socket.readyState !== extra.socket.OPEN) connection.end();
    extra.connection = connection;
    return connection.stillValid();
  } catch (error) {
    if (error instanceof Refusal) return false;
    needs.log.error({ err: error }, 'a WebSocket client could not be signed in');
    extra.socket.close(INTERNAL_ERROR, 'Internal server error');
    return false;
  }
}

/** Whatever goes wrong here is an answer to this operation; a throw would close the connection with all others on it. */
async function prepare(
  { config, log, supergraph }: Needs,
  read: ReturnType<typeof documentReader>,
  { extra, subscriptions }: SocketContext,
  { query, variables, operationName }: SubscribePayload,
): Promise<Prepared | readonly GraphQLError[]> {
  let requestId: string | undefined;
  const failed = (error: unknown) => publicErrorOf(error, { requestId: requestId ?? randomUUID(), log });
  try {
    const { connection } = extra;
    if (!connection?.stillValid()) throw unauthenticated();
    if (Object.keys(subscriptions).length > config.webSocket.operations) throw tooMany(config.webSocket.operations);
    const scope = await connection.scope();
    requestId = scope.requestId;
    const pinned = supergraph();
    const document = read(pinned.publicSchema, query);
    if (!('kind' in document)) return document.map(failed);
    return {
      schema: pinned.publicSchema,
      document,
      ...(operationName && { operationName }),
      ...(variables && { variableValues: variables }),
      contextValue: { supergraph: pinned, scope, connection },
    };
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UNAUTHENTICATED') extra.socket.close(FORBIDDEN, 'Forbidden');
    return [failed(error)];
  }
}

const tooMany = (most: number) =>
  new Refusal('RATE_LIMITED', 'TOO_MANY_OPERATIONS', `A connection may run at most ${most} operations at once.`);

const operationOf = ({ document, variableValues, operationName }: ExecutionArgs): Operation => ({
  document,
  variables: variableValues ?? undefined,
  operationName: operationName ?? undefined,
});

async function subscribe(needs: Needs, streams: Set<Stream>, args: Prepared) {
  const { supergraph, scope, connection } = args.contextValue;
  try {
    const { sources, log, config } = needs;
    const stream = await openStream(
      { supergraph, sources, log, queue: config.webSocket.queue },
      operationOf(args),
      scope,
    );
    if ('errors' in stream) return stream;
    streams.add(stream);
    return whileValid(stream.results, connection, () => streams.delete(stream));
  } catch (error) {
    return { errors: [publicErrorOf(error, { requestId: scope.requestId, log: needs.log })] };
  }
}

/** Hands out results as long as the token is valid. */
function whileValid(
  results: AsyncIterableIterator<ExecutionResult>,
  connection: Connection,
  onEnd: () => void,
): AsyncIterableIterator<ExecutionResult> {
  const finish = async (): Promise<IteratorResult<ExecutionResult>> => {
    onEnd();
    await results.return?.();
    return { done: true, value: undefined };
  };
  return {
    async next() {
      const result = await results.next();
      return result.done || !connection.stillValid() ? finish() : result;
    },
    return: finish,
    throw: finish,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
