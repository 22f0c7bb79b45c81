import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import type { Authenticate } from '@foyer/shared/authentication';
import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';
import type { Log } from '@foyer/shared/log';
import type { RequestScope } from '@foyer/shared/request';
import { unauthenticated } from '@foyer/shared/viewer';
import { GraphQLError, type ExecutionArgs, type ExecutionResult } from 'graphql';
import type { Context, SubscribePayload } from 'graphql-ws';
import { useServer, type Extra } from 'graphql-ws/use/ws';
import { WebSocketServer, type WebSocket } from 'ws';

import type { Config } from '../config.ts';
import type { DataSources } from '../data-sources/data-source.ts';
import { documentReader, type DocumentRules } from '../documents.ts';
import { publicErrorOf } from '../errors.ts';
import type { Operation } from '../execute.ts';
import { openConnections } from '../metrics.ts';
import type { Supergraph } from '../supergraph.ts';
import { openConnection, type Connection } from './connection.ts';
import { openStream, type Stream } from './stream.ts';

const PATH = '/graphql';
const INTERNAL_ERROR = 4500;
/** How long a client that does not answer the closing handshake may hold up the end. */
const CLOSING_GRACE_MS = 2_000;

interface Needs {
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

type SocketContext = Context<Record<string, unknown> | undefined, Extra & { connection?: Connection }>;

/** What `onSubscribe` hands to `subscribe` and `execute`. */
interface Prepared extends ExecutionArgs {
  contextValue: { supergraph: Supergraph; scope: RequestScope; connection: Connection };
}

export interface SubscriptionServer {
  /** Takes the upgrades to `/graphql` of an HTTP server, and leaves all others alone. */
  attach(server: Server): void;
  /** Tells the clients of every stream that the schema has changed, and ends the stream. */
  reloaded(): void;
  stop(): Promise<void>;
}

/**
 * Operations over graphql-transport-ws, by the rules that hold over HTTP: who asks, the limits of a
 * document, masked errors, request ids.
 */
export function subscriptionServer(needs: Needs): SubscriptionServer {
  const { config, log } = needs;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: config.limits.bodyBytes });
  const streams = new Set<Stream>();
  const attached = new Set<Server>();
  const read = documentReader(needs.rules);
  let stopping: Promise<void> | undefined;

  const server = useServer<Record<string, unknown> | undefined, { connection?: Connection }>(
    {
      onConnect: (context) => connect(needs, context),
      onSubscribe: (context, _id, payload) => prepare(needs, read, context, payload),
      subscribe: (args) => run(needs, streams, args as Prepared),
      execute(args) {
        const { scope, supergraph } = (args as Prepared).contextValue;
        return needs.execute(operationOf(args), scope, supergraph);
      },
      onClose: ({ extra }) => {
        openConnections.dec();
        extra.connection?.end();
      },
    },
    sockets,
  );
  sockets.on('connection', (socket: WebSocket) => {
    openConnections.inc();
    // A frame that is too large or malformed: ws closes with the right code by itself.
    socket.removeAllListeners('error');
    socket.on('error', (err) => log.debug({ err }, 'a WebSocket client broke the protocol'));
  });

  function upgrade(this: Server, request: IncomingMessage, socket: Duplex, head: Buffer) {
    if (request.url?.split('?', 1)[0] !== PATH) {
      if (this.listenerCount('upgrade') === 1) refuse(socket, '404 Not Found'); // nobody else will answer
      return;
    }
    if (stopping || sockets.clients.size >= config.webSocket.connections) return refuse(socket, '503 Service Unavailable');
    sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit('connection', webSocket, request));
  }

  async function close() {
    const impatience = setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate();
    }, CLOSING_GRACE_MS);
    await server.dispose();
    clearTimeout(impatience);
    for (const each of attached) each.off('upgrade', upgrade);
  }

  return {
    attach(server) {
      attached.add(server);
      server.on('upgrade', upgrade);
    },
    reloaded() {
      for (const stream of streams) stream.end(schemaReloaded());
    },
    stop: () => (stopping ??= close()),
  };
}

const schemaReloaded = () =>
  new GraphQLError('The schema has changed: subscribe again.', { extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD' } });

const tooManyOperations = (most: number) =>
  new Refusal('RATE_LIMITED', 'TOO_MANY_OPERATIONS', `A connection may run at most ${most} operations at once.`);

function refuse(socket: Duplex, status: string) {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
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
    if (!connection?.stillValid()) return [failed(unauthenticated())];
    if (Object.keys(subscriptions).length > config.webSocket.operations) {
      return [failed(tooManyOperations(config.webSocket.operations))];
    }
    const scope = await connection.scope();
    requestId = scope.requestId;
    const pinned = supergraph();
    const document = read(pinned.publicSchema, query);
    if (Array.isArray(document)) return document.map(failed);
    return {
      schema: pinned.publicSchema,
      document,
      operationName,
      variableValues: variables,
      contextValue: { supergraph: pinned, scope, connection },
    } as Prepared;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'UNAUTHENTICATED') extra.socket.close(4403, 'Forbidden');
    return [failed(error)];
  }
}

const operationOf = ({ document, variableValues, operationName }: ExecutionArgs): Operation => ({
  document,
  variables: (variableValues ?? undefined) as Record<string, unknown> | undefined,
  operationName: operationName ?? undefined,
});

async function run(needs: Needs, streams: Set<Stream>, args: Prepared) {
  const { supergraph, scope, connection } = args.contextValue;
  try {
    const { sources, log, config } = needs;
    const stream = await openStream({ supergraph, sources, log, queue: config.webSocket.queue }, operationOf(args), scope);
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
