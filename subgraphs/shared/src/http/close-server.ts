import type { FastifyInstance } from 'fastify';

/** How long requests may take to end. */
const ANSWER_MS = 2_000;

/**
 * Closes a server once its requests have been answered, or cuts off those that still run after two seconds:
 * an unfinished upload can be resumed, and a client that never ends its request must not keep the server open.
 * The server must have been made with `forceCloseConnections: 'idle'`.
 */
export async function closeServer(app: FastifyInstance): Promise<void> {
  const cutOff = setTimeout(() => app.server.closeAllConnections(), ANSWER_MS);
  await app.close();
  clearTimeout(cutOff);
}
