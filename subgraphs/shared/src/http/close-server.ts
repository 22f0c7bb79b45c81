import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';

/** How long the requests of a server may take to end, if nothing else is said: longer than the one for a subgraph may. */
export const DRAIN_MS = 12_000;

const stopping = new WeakSet<Server>();

/** Whether a server has been told to close. It may still answer requests. */
export const isStopping = ({ server }: FastifyInstance): boolean => stopping.has(server);

interface Closing {
  /** How long the requests may take to end. */
  drainMs: number;
  /**
   * How long the server goes on taking requests before that, so that a load balancer can take it out of use: it is not ready, and asks
   * clients not to use their connections again.
   */
  delayMs?: number;
}

/**
 * Closes a server once its requests have been answered, or cuts off those that still run after a while: a client that never
 * ends its request must not keep the server open. The server must have been made with `forceCloseConnections: 'idle'`.
 */
export async function closeServer(app: FastifyInstance, { drainMs, delayMs = 0 }: Closing): Promise<void> {
  stopping.add(app.server);
  if (delayMs > 0) {
    app.server.prependListener('request', (_request, response) => (response.shouldKeepAlive = false));
    await sleep(delayMs, undefined, { ref: false }); // the server is open, which is enough
  }
  const cutOff = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(cutOff);
}
