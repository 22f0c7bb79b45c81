import type { Disposable } from 'graphql-ws';
import type { WebSocketServer } from 'ws';

/** How long a client that does not answer the closing handshake may hold up the end. */
const CLOSING_GRACE_MS = 2_000;

/**
 * Says goodbye on every WebSocket of a server, and takes no new one.
 *
 * @param protocol what speaks on them
 */
export async function closeSockets(sockets: WebSocketServer, protocol: Disposable): Promise<void> {
  const impatience = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate();
  }, CLOSING_GRACE_MS);
  await protocol.dispose();
  clearTimeout(impatience);
}
