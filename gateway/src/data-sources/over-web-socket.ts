import { Refusal } from '@foyer/shared/errors';
import { pushQueue } from '@foyer/shared/graphql/push-queue';
import { SIGNED_CONTEXT } from '@foyer/shared/graphql/signed-context';
import { carriedTrace } from '@foyer/shared/telemetry/tracing';
import { paced } from '@foyer/shared/events/paced';
import {
  createClient,
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  type Client,
  type FormattedExecutionResult,
  type SubscribePayload,
} from 'graphql-ws';
import { WebSocket, type CloseEvent, type ErrorEvent } from 'ws';

import { headersTo, type HeadersToSubgraph, type OperationContext } from '@foyer/shared/graphql/operation-context';
import type { Answer, DataSource, Fetch, StreamEvent, Upstream } from '@foyer/shared/graphql/data-source';
import { breaker } from './breaker.ts';
import { faultOfStream } from './faults.ts';
import { asRefusal, errorsIn } from './remote-errors.ts';
import type { RemoteSubgraph } from './remote-subgraph.ts';

type Result = FormattedExecutionResult<Record<string, unknown>, unknown>;

/** How many received events may wait; then the socket is paused. */
const FULL = 16;

const KEEP_ALIVE_MS = 30_000;

const NORMAL_CLOSURE = 1000;

/** A stream that breaks off earlier has never begun: for the circuit breaker it is a failure to open one. */
const BEGUN_MS = 1_000;

/** The scope of the connection itself, which is opened for no viewer; each subscription carries its own. */
const nobody = { viewer: null, client: { address: '', userAgent: '' } };

/**
 * Subscriptions of a subgraph on the network, over graphql-transport-ws, each on a connection of its own. The connection
 * of a slow client is not read either: only the subgraph knows which events may be dropped.
 */
export function overWebSocket(remote: RemoteSubgraph): Pick<DataSource, 'subscribe'> & { close(): Promise<void> } {
  const connections = new Set<Connection>();
  // Not that of requests: a subgraph that takes no WebSocket may answer queries, and the other way round.
  const attempt = breaker(remote.options);

  async function open(fetch: Fetch, context: OperationContext) {
    const payload = await payloadOf(remote, fetch, context);
    const connection = connect(remote, headersTo(remote.name, context.forwarded));
    connections.add(connection);
    const { queue, begun } = listen(remote, connection, payload, context.scope.signal);
    queue.onEnd(() => {
      connections.delete(connection);
      void connection.end();
    });
    return { upstream: { events: eventsOf(connection, queue) }, begun };
  }

  return {
    async subscribe(fetch, context) {
      const opened = Promise.withResolvers<Upstream>();
      attempt(async () => {
        const { upstream, begun } = await open(fetch, context);
        opened.resolve(upstream);
        await begun;
      }).catch(opened.reject);
      try {
        return await opened.promise;
      } catch (error) {
        return { errors: [brokenOff(remote, error)] };
      }
    },
    async close() {
      await Promise.all([...connections].map((connection) => connection.end()));
    },
  };
}

async function payloadOf({ name, signContext }: RemoteSubgraph, fetch: Fetch, { scope }: OperationContext) {
  const { query, operationName, variables } = fetch;
  const extensions = {
    ...carriedTrace(),
    ...(signContext && { [SIGNED_CONTEXT]: await signContext(name, scope), requestId: scope.requestId }),
  };
  return { query, variables, ...(operationName && { operationName }), extensions };
}

type Queue = ReturnType<typeof pushQueue<Result | Refusal>>;

/** Subscribes, and queues the events until they are read. */
function listen(remote: RemoteSubgraph, connection: Connection, payload: SubscribePayload, signal: AbortSignal) {
  // Events beyond `FULL` came with the last bytes that were read: there is always room for them.
  const queue: Queue = pushQueue(signal, Number.POSITIVE_INFINITY);
  const begun = Promise.withResolvers<void>();
  const complete = () => {
    begun.resolve();
    queue.end();
  };
  const breakOff = (broken: unknown) => {
    if (Array.isArray(broken)) {
      queue.push({ errors: broken });
      return complete();
    }
    begun.reject(faultOfStream(broken));
    queue.push(brokenOff(remote, broken));
    queue.end();
  };
  // After this code alone graphql-ws connects again at once and without end, whatever `retryAttempts` says.
  const unlisten = connection.client.on('closed', (event) => {
    if ((event as CloseEvent).code === NORMAL_CLOSURE) breakOff(event);
  });
  queue.onEnd(unlisten); // at the end of the stream we close with that code ourselves
  const timer = setTimeout(begun.resolve, BEGUN_MS);
  queue.onEnd(() => {
    clearTimeout(timer);
    begun.reject(new DOMException('The client has left.', 'AbortError')); // unless it is decided already
  });
  const leave = connection.client.subscribe(payload, {
    next(result) {
      queue.push(result);
      if (queue.size() >= FULL) connection.pause();
    },
    error: breakOff,
    complete,
  });
  queue.onEnd(leave);
  return { queue, begun: begun.promise };
}

function brokenOff({ name, log }: RemoteSubgraph, broken: unknown): Refusal {
  const reason = reasonOf(broken);
  log.warn({ reason, subgraph: name }, 'a stream of a subgraph broke off');
  return asRefusal(new Error(reason), 'subscription');
}

/** The reason as text: the event of ws holds the whole WebSocket, with the forwarded credentials. */
function reasonOf(broken: unknown): string {
  const { message, error, code, reason } = Object(broken) as Partial<ErrorEvent & CloseEvent>;
  // The error for a host with several addresses has no message.
  return message || [error?.code ?? code, reason].filter(Boolean).join(' ');
}

function eventsOf(connection: Connection, queue: Queue): Upstream['events'] {
  return paced(queue.items, (item, taken): StreamEvent => {
    if (queue.size() === 0) connection.resume();
    if (item instanceof Refusal) throw item;
    return async () => {
      taken();
      return answerOf(item);
    };
  });
}

const answerOf = ({ data, errors }: Result): Answer => ({
  ...(data !== undefined && { data }),
  ...(errors && { errors: errorsIn(errors) }),
});

interface Connection {
  client: Client;
  /** Stops reading until it is resumed. */
  pause(): void;
  resume(): void;
  /** Closes the connection; one that is still being opened, afterwards. Never rejects. */
  end(): Promise<void>;
}

function connect({ name, url, options, signContext }: RemoteSubgraph, forwarded: HeadersToSubgraph): Connection {
  const socket = openSocket(url.replace(/^http/, 'ws'), options, forwarded);
  let ended = false;
  const client = createClient({
    url,
    webSocketImpl: handingOut(socket),
    connectionParams: async () => ({
      ...forwarded,
      ...(signContext && { [SIGNED_CONTEXT]: await signContext(name, nobody) }),
    }),
    retryAttempts: 0, // the stream ends with an error, and its client subscribes again: events in between are lost
    connectionAckWaitTimeout: options.timeoutMs,
  });
  return {
    client,
    pause() {
      if (!ended) socket.pause();
    },
    resume: () => socket.resume(),
    async end() {
      ended = true;
      socket.resume(); // a paused socket would not receive the subgraph's close frame
      try {
        await client.dispose();
      } catch {
        // The connection was never opened.
      }
    },
  };
}

/** @throws {TypeError} when ws does not take the address or a header */
function openSocket(
  address: string,
  { timeoutMs, answerBytes }: RemoteSubgraph['options'],
  headers: HeadersToSubgraph,
): WebSocket {
  const socket = new WebSocket(address, GRAPHQL_TRANSPORT_WS_PROTOCOL, {
    headers,
    handshakeTimeout: timeoutMs,
    maxPayload: answerBytes,
    perMessageDeflate: false,
  });
  // TCP keep-alive detects a dead machine, though nothing is sent to it.
  socket.once('upgrade', ({ socket: underneath }) => underneath.setKeepAlive(true, KEEP_ALIVE_MS));
  // graphql-ws removes its listener early; an 'error' event without a listener would end the process.
  socket.on('error', () => undefined);
  return socket;
}

/**
 * A WebSocket class for a graphql-ws client that returns a socket made beforehand: the client calls the constructor where
 * an exception could not be caught. It calls it once, as it does not retry.
 */
const handingOut = (socket: WebSocket) =>
  Object.assign(
    function handOut() {
      return socket;
    },
    { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 },
  );
