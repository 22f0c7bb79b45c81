import { Refusal } from '@foyer/shared/errors';
import { pushQueue } from '@foyer/shared/push-queue';
import { INTRODUCTION } from '@foyer/shared/signed-viewer';
import { carriedTrace } from '@foyer/shared/tracing';
import { paced } from '@foyer/shared/watch';
import { createClient, type Client, type FormattedExecutionResult, type SubscribePayload } from 'graphql-ws';
import { WebSocket, type CloseEvent, type ErrorEvent } from 'ws';

import type { Forwarded, OperationContext } from '../operation-context.ts';
import type { Answer, DataSource, Fetch, StreamEvent, Upstream } from './data-source.ts';
import type { Needs } from './over-http.ts';
import { asRefusal, shownErrors } from './remote-errors.ts';

type Result = FormattedExecutionResult<Record<string, unknown>, unknown>;

/** Events that have come and wait to be asked for; when they are so many, the socket is read no further. */
const FULL = 16;

const KEEP_ALIVE_MS = 30_000;

/** Who greets a subgraph of ours: the gateway, for nobody yet. Each subscription then says for whom it is. */
const nobody = { viewer: null, client: { address: '', userAgent: '' } };

/**
 * Event streams of a subgraph on the network: graphql-transport-ws, a connection for each. Where a client reads slowly,
 * its connection is not read either: what may be dropped is dropped by who knows it, in the subgraph.
 */
export function overWebSocket(needs: Needs): Pick<DataSource, 'subscribe'> & { close(): Promise<void> } {
  const connections = new Set<Connection>();

  return {
    async subscribe(fetch, context) {
      const payload = await payloadOf(needs, fetch, context);
      const connection = connect(needs, context.forwarded);
      connections.add(connection);
      const queue = listen(needs, connection, payload, context.scope.signal);
      queue.onEnd(() => {
        connections.delete(connection);
        void connection.end();
      });
      return { events: eventsOf(needs, connection, queue) };
    },
    async close() {
      await Promise.all([...connections].map((connection) => connection.end()));
    },
  };
}

async function payloadOf({ name, introduce }: Needs, fetch: Fetch, { scope }: OperationContext) {
  const { query, operationName, variables } = fetch;
  const extensions = {
    ...carriedTrace(),
    ...(introduce && { [INTRODUCTION]: await introduce(name, scope), requestId: scope.requestId }),
  };
  return { query, variables, ...(operationName && { operationName }), extensions };
}

type Queue = ReturnType<typeof pushQueue<Result | Refusal>>;

/** Asks for the stream, and keeps what comes until somebody wants it. */
function listen(needs: Needs, connection: Connection, payload: SubscribePayload, signal: AbortSignal): Queue {
  // What is beyond `FULL` came with the last bytes that were read: there is always room for it.
  const queue: Queue = pushQueue(signal, Number.POSITIVE_INFINITY);
  const leave = connection.client.subscribe(payload, {
    next(result) {
      queue.push(result);
      if (queue.size() >= FULL) connection.pause();
    },
    error(broken) {
      queue.push(Array.isArray(broken) ? { errors: broken } : brokenOff(needs, broken));
      queue.end();
    },
    complete: queue.end,
  });
  queue.onEnd(leave);
  return queue;
}

function brokenOff({ name, log }: Needs, broken: unknown): Refusal {
  const reason = reasonOf(broken);
  log.warn({ reason, subgraph: name }, 'a stream of a subgraph broke off');
  return asRefusal(new Error(reason));
}

/** In words: what ws tells holds the whole WebSocket, down to the credentials that were passed on. */
function reasonOf(broken: unknown): string {
  const { message, error, code, reason } = Object(broken) as Partial<ErrorEvent & CloseEvent>;
  // Where a name has several addresses, the error of none of them has a message.
  return message || [error?.code ?? code, reason].filter(Boolean).join(' ');
}

function eventsOf(needs: Needs, connection: Connection, queue: Queue): Upstream['events'] {
  const events = paced(queue.items);
  return {
    async next() {
      const { done, value } = await events.next();
      if (done) return { done, value: undefined };
      if (queue.size() === 0) connection.resume();
      const { item, taken } = value;
      if (item instanceof Refusal) throw item;
      const event: StreamEvent = async (ofEvent) => {
        taken();
        return answerOf(needs, item, ofEvent);
      };
      return { done: false, value: event };
    },
    async return() {
      await events.return?.();
      return { done: true, value: undefined };
    },
  };
}

function answerOf({ name, options, log }: Needs, { data, errors }: Result, context: OperationContext): Answer {
  return {
    ...(data !== undefined && { data }),
    ...(errors && { errors: shownErrors(errors, { name, options, log, context }) }),
  };
}

interface Connection {
  client: Client;
  /** Reads no further until it is resumed. */
  pause(): void;
  resume(): void;
  /** Says goodbye; of one that is only being opened, once that has come to its end. Never rejects. */
  end(): Promise<void>;
}

function connect({ name, url, options, introduce }: Needs, forwarded: Forwarded): Connection {
  let socket: WebSocket | undefined;
  let ended = false;
  const client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: socketOf(options, forwarded),
    connectionParams: async () => ({
      ...forwarded,
      ...(introduce && { [INTRODUCTION]: await introduce(name, nobody) }),
    }),
    retryAttempts: 0, // the stream ends with an error, and its client subscribes again: events in between are lost
    connectionAckWaitTimeout: options.timeoutMs,
    on: { opened: (opened) => void (socket = opened as WebSocket) },
  });
  return {
    client,
    pause() {
      if (!ended) socket?.pause();
    },
    resume: () => socket?.resume(),
    async end() {
      ended = true;
      socket?.resume(); // one that does not read would not hear that the subgraph says goodbye, too
      try {
        await client.dispose();
      } catch {
        // It could not even be opened.
      }
    },
  };
}

const socketOf = ({ timeoutMs, answerBytes }: Needs['options'], headers: Forwarded) =>
  class extends WebSocket {
    constructor(address: string, protocol: string) {
      super(address, protocol, {
        headers,
        handshakeTimeout: timeoutMs,
        maxPayload: answerBytes,
        perMessageDeflate: false,
      });
      // A machine that went away without a word is noticed, though nothing is sent to it.
      this.once('upgrade', ({ socket }) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
    }
  };
