import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import type { Server } from './servers/server-process.ts';
import type { Json } from './json.ts';

/** A subscription over a WebSocket of its own. */
export interface Followed {
  /** The value of its field in the next event; rejects when it is refused. */
  next(): Promise<Json>;
  leave(): Promise<void>;
}

export function follow(
  server: Server,
  query: string,
  variables: Record<string, unknown>,
  headers: Record<string, string> = {},
): Followed {
  const client = createClient({
    url: `${server.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: headers,
  });
  const results = client.iterate<Json>({ query, variables });
  return {
    async next() {
      const { done, value } = await results.next();
      if (done) throw new Error('the stream has ended');
      if (value.errors) throw Object.assign(new Error(value.errors[0]?.message), value.errors[0]?.extensions);
      return Object.values(value.data as object)[0];
    },
    async leave() {
      await results.return?.();
      await client.dispose();
    },
  };
}
