import type { FastifyInstance } from 'fastify';

/** How long the requests of a server may take to end, if nothing else is said: longer than the one for a subgraph may. */
export const DRAIN_MS = 12_000;

/**
 * Closes a server once its requests have been answered, or cuts off those that still run after a while: a client that never
 * ends its request must not keep the server open. The server must have been made with `forceCloseConnections: 'idle'`.
 *
 * @param drainMs how long the requests may take
 */
export async function closeServer(app: FastifyInstance, drainMs: number): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), drainMs);
  await app.close();
  clearTimeout(cutOff);
}
