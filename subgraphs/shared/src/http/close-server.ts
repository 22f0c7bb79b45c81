import type { Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

/** How long the requests of a server may take to end, if nothing else is said: longer than a request to a subgraph may. */
export const drainAfter = (subgraphTimeoutMs: number): number => subgraphTimeoutMs + 2_000;

const stopping = new WeakSet<Server>();

/** Whether a server has been told to close. It may still answer requests. */
export const isStopping = ({ server }: FastifyInstance): boolean => stopping.has(server);

interface Closing {
  /** How long the requests may take to end. */
  drainMs: number;
  /** How long before that the server goes on as usual, but is not ready, so that a load balancer can take it out of use. */
  delayMs?: number;
  /** How long after that it still serves the connections that it has, and asks clients not to use them again. */
  lingerMs?: number;
}

/**
 * Closes a server once its requests have been answered, or cuts off those that still run after a while: a client that never
 * ends its request must not keep the server open. The server must have been made with `forceCloseConnections: 'idle'`.
 */
export async function closeServer(
  app: FastifyInstance,
  { drainMs, delayMs = 0, lingerMs = 0 }: Closing,
): Promise<void> {
  stopping.add(app.server);
  await passing(delayMs);
  // That of an HTTP server would also close idle connections, on which a request may be on its way; Fastify's comes only
  // after the hooks that let the operations on WebSockets end.
  Listener.prototype.close.call(app.server);
  if (lingerMs > 0) {
    app.server.prependListener('request', (_request, response) => (response.shouldKeepAlive = false));
    await passing(lingerMs);
  }
  const cutOff = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(cutOff);
}

/** A delay after SIGTERM: half of it for load balancers that look at `/health/ready`, half for those that notice a refused connection. */
export const halvesOf = (ms: number) => ({ delayMs: ms / 2, lingerMs: ms / 2 });

/** Waits, but keeps no process alive. */
const passing = (ms: number) => (ms > 0 ? sleep(ms, undefined, { ref: false }) : undefined);
