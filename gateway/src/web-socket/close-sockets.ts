import type { WebSocketServer } from 'ws';

/** How long a client that does not answer the closing handshake may hold up the end. */
const CLOSING_GRACE_MS = 2_000;

const GOING_AWAY = 1001;

/** Says goodbye on every WebSocket of a server, and takes no new one. */
export async function closeSockets(sockets: WebSocketServer): Promise<void> {
  const impatience = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate();
  }, CLOSING_GRACE_MS);
  for (const socket of sockets.clients) socket.close(GOING_AWAY, 'Going away');
  await new Promise<void>((resolve, reject) => sockets.close((error) => (error ? reject(error) : resolve())));
  clearTimeout(impatience);
}
