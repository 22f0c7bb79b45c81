import { once } from 'node:events';

import { createClient, type Client, type ClientOptions, type FormattedExecutionResult } from 'graphql-ws';
import { WebSocket } from 'ws';

type Options = Partial<ClientOptions> & { headers?: Record<string, string> };

/** A graphql-ws client that does not try again. */
export function aClient(url: string, options: Options = {}): Client {
  class Socket extends WebSocket {
    constructor(url: string, protocols: string) {
      super(url, protocols, { headers: options.headers ?? {} });
    }
  }
  return createClient({ url, webSocketImpl: Socket, retryAttempts: 0, ...options });
}

/** Collects what a subscription brings. */
export function watch(client: Client, query: string, variables?: Record<string, unknown>) {
  const results: FormattedExecutionResult<Record<string, unknown>, unknown>[] = [];
  const ended = Promise.withResolvers<unknown>();
  const leave = client.subscribe(
    { query, ...(variables && { variables }) },
    {
      next: (result) => void results.push(result),
      error: ended.resolve,
      complete: () => ended.resolve('complete'),
    },
  );
  return { results, ended: ended.promise, leave };
}

/** A raw socket, to send what a proper client would never send. */
export async function aSocket(url: string, protocols = ['graphql-transport-ws']) {
  const socket = new WebSocket(url, protocols);
  const closed = Promise.withResolvers<[number, string]>();
  const messages: Record<string, unknown>[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString())));
  socket.on('close', (code, reason) => closed.resolve([code, reason.toString()]));
  await once(socket, 'open');
  return {
    socket,
    messages,
    closed: closed.promise,
    send: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
  };
}
