import type { FastifyInstance } from 'fastify';

/**
 * Closes a server once its requests have been answered, or cuts off those that still run when the time is over:
 * an upload that is half way can be resumed, a client that never ends its request must not keep the house open.
 */
export async function closeServer(app: FastifyInstance, graceMs: number): Promise<void> {
  const impatience = setTimeout(() => app.server.closeAllConnections(), graceMs);
  await app.close();
  clearTimeout(impatience);
}
