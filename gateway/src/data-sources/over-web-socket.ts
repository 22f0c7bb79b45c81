import { Refusal } from '@foyer/shared/errors';
import { pushQueue } from '@foyer/shared/push-queue';
import { INTRODUCTION } from '@foyer/shared/signed-viewer';
import { carriedTrace } from '@foyer/shared/tracing';
import { paced } from '@foyer/shared/watch';
import { createClient, type Client, type FormattedExecutionResult } from 'graphql-ws';
import { WebSocket } from 'ws';

import type { Forwarded, OperationContext } from '../operation-context.ts';
import type { Answer, DataSource, Fetch, StreamEvent } from './data-source.ts';
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
  const { name, options, log, introduce } = needs;
  const connections = new Set<Connection>();

  function answerOf({ data, errors }: Result, context: OperationContext): Answer {
    return {
      ...(data !== undefined && { data }),
      ...(errors && { errors: shownErrors(errors, { name, options, log, context }) }),
    };
  }

  return {
    async subscribe({ query, operationName, variables }: Fetch, { scope, forwarded }) {
      const extensions = {
        ...carriedTrace(),
        ...(introduce && { [INTRODUCTION]: await introduce(name, scope), requestId: scope.requestId }),
      };
      const connection = connect(needs, forwarded);
      connections.add(connection);
      // What is beyond `FULL` came with the last bytes that were read: there is always room for it.
      const queue = pushQueue<Result | Refusal>(scope.signal, Number.POSITIVE_INFINITY);
      const leave = connection.client.subscribe(
        { query, variables, ...(operationName && { operationName }), extensions },
        {
          next(result) {
            queue.push(result);
            if (queue.size() >= FULL) connection.pause();
          },
          error(error) {
            log.warn({ err: error, subgraph: name }, 'a stream of a subgraph broke off');
            queue.push(asRefusal(error));
            queue.end();
          },
          complete: queue.end,
        },
      );
      queue.onEnd(() => {
        leave();
        connections.delete(connection);
        void connection.client.dispose();
      });

      const events = paced(queue.items);
      return {
        events: {
          async next() {
            const { done, value } = await events.next();
            if (done) return { done, value: undefined };
            if (queue.size() === 0) connection.resume();
            const { item, taken } = value;
            if (item instanceof Refusal) throw item;
            const event: StreamEvent = async (ofEvent) => {
              taken();
              return answerOf(item, ofEvent);
            };
            return { done: false, value: event };
          },
          async return() {
            await events.return?.();
            return { done: true, value: undefined };
          },
        },
      };
    },
    async close() {
      await Promise.all([...connections].map(async ({ client }) => client.dispose()));
    },
  };
}

interface Connection {
  client: Client;
  /** Reads no further until it is resumed. */
  pause(): void;
  resume(): void;
}

function connect({ name, url, options, introduce }: Needs, forwarded: Forwarded): Connection {
  let socket: WebSocket | undefined;
  const client = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: class extends WebSocket {
      constructor(address: string, protocol: string) {
        super(address, protocol, {
          headers: forwarded,
          handshakeTimeout: options.timeoutMs,
          maxPayload: options.answerBytes,
          perMessageDeflate: false,
        });
        // A machine that went away without a word is noticed, though nothing is sent to it.
        this.once('upgrade', ({ socket }) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
      }
    },
    connectionParams: async () => ({
      ...forwarded,
      ...(introduce && { [INTRODUCTION]: await introduce(name, nobody) }),
    }),
    retryAttempts: 0, // the stream ends with an error, and its client subscribes again: events in between are lost
    connectionAckWaitTimeout: options.timeoutMs,
    on: { opened: (opened) => void (socket = opened as WebSocket) },
  });
  return { client, pause: () => socket?.pause(), resume: () => socket?.resume() };
}
