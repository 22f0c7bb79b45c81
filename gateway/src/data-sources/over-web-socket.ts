import { Refusal } from '@foyer/shared/errors';
import { pushQueue } from '@foyer/shared/push-queue';
import { INTRODUCTION } from '@foyer/shared/signed-viewer';
import { carriedTrace } from '@foyer/shared/tracing';
import { createClient, type Client, type FormattedExecutionResult } from 'graphql-ws';
import { WebSocket } from 'ws';

import type { OperationContext } from '../operation-context.ts';
import type { Answer, DataSource, Fetch, StreamEvent } from './data-source.ts';
import type { Needs } from './over-http.ts';
import { asRefusal, shownErrors } from './remote-errors.ts';

/** Events of one upstream that wait to be handed on; whoever hands them on is quick. */
const QUEUE = 1_000;

/** Who greets a subgraph of ours: the gateway, for nobody yet. Each subscription then says for whom it is. */
const nobody = { viewer: null, client: { address: '', userAgent: '' } };

/**
 * Event streams of a subgraph on the network: graphql-transport-ws, one connection for all of the same forwarded
 * headers and rights; to a subgraph of ours, one for everybody.
 */
export function overWebSocket({ name, url, options, log, introduce }: Needs): Pick<DataSource, 'subscribe'> & {
  close(): Promise<void>;
} {
  const clients = new Map<string, Client>();

  function clientFor(context: OperationContext): Client {
    const rights = introduce ? '' : context.rights();
    const known = clients.get(rights);
    if (known) return known;
    const { forwarded } = context;
    const client = createClient({
      url: url.replace(/^http/, 'ws'),
      webSocketImpl: class extends WebSocket {
        constructor(address: string, protocol: string) {
          super(address, protocol, { headers: forwarded });
        }
      },
      connectionParams: async () => ({
        ...forwarded,
        ...(introduce && { [INTRODUCTION]: await introduce(name, nobody) }),
      }),
      retryAttempts: 0, // the stream ends with an error, and its client subscribes again: events in between are lost
      connectionAckWaitTimeout: options.timeoutMs,
      keepAlive: 12_000,
      on: { closed: () => void clients.delete(rights) },
    });
    clients.set(rights, client);
    return client;
  }

  return {
    async subscribe({ query, operationName, variables }: Fetch, context) {
      const queue = pushQueue<StreamEvent | Refusal>(context.scope.signal, QUEUE);
      const { scope } = context;
      const extensions = {
        ...carriedTrace(),
        ...(introduce && { [INTRODUCTION]: await introduce(name, scope), requestId: scope.requestId }),
      };
      const leave = clientFor(context).subscribe(
        { query, variables, ...(operationName && { operationName }), extensions },
        {
          next: (result) => queue.push(async (ofEvent) => answerOf(result, ofEvent)),
          error(error) {
            log.warn({ err: error, subgraph: name }, 'a stream of a subgraph broke off');
            queue.push(asRefusal(error));
            queue.end();
          },
          complete: queue.end,
        },
      );
      queue.onEnd(leave);
      return {
        events: {
          async next() {
            const { done, value } = await queue.items.next();
            if (value instanceof Refusal) throw value;
            return done ? { done: true, value: undefined } : { done: false, value };
          },
          async return() {
            queue.end();
            return { done: true, value: undefined };
          },
        },
      };
    },
    async close() {
      await Promise.all([...clients.values()].map(async (client) => client.dispose()));
    },
  };

  function answerOf(
    { data, errors }: FormattedExecutionResult<Record<string, unknown>, unknown>,
    context: OperationContext,
  ): Answer {
    return {
      ...(data !== undefined && { data }),
      ...(errors && { errors: shownErrors(errors, { name, options, log, context }) }),
    };
  }
}
