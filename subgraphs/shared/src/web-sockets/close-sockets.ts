import type { WebSocketServer } from 'ws';

/** How long to wait for a client that does not answer the closing handshake. */
const CLOSING_GRACE_MS = 2_000;

const GOING_AWAY = 1001;

/** Closes every WebSocket of a server, and accepts no new one. */
export async function closeSockets(sockets: WebSocketServer): Promise<void> {
  const deadline = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate();
  }, CLOSING_GRACE_MS);
  for (const socket of sockets.clients) socket.close(GOING_AWAY, 'Going away');
  await new Promise<void>((resolve, reject) => sockets.close((error) => (error ? reject(error) : resolve())));
  clearTimeout(deadline);
}
