import { setTimeout as sleep } from 'node:timers/promises';

import type { WebSocket, WebSocketServer } from 'ws';

/** How long to wait for a client that does not answer the closing handshake. */
const CLOSING_GRACE_MS = 2_000;
/** How often to look whether a socket is still busy. */
const LOOK_MS = 50;

const GOING_AWAY = 1001;

interface Draining {
  /** Whether something is under way on a socket that should end before it is closed. */
  isBusy(socket: WebSocket): boolean;
  /** How long that may take. */
  drainMs: number;
}

const atOnce: Draining = { isBusy: () => false, drainMs: 0 };

/** Closes every WebSocket of a server, once nothing is under way on it, and accepts no new one. */
export async function closeSockets(sockets: WebSocketServer, { isBusy, drainMs }: Draining = atOnce): Promise<void> {
  const closed = new Promise<void>((resolve, reject) => sockets.close((error) => (error ? reject(error) : resolve())));
  const until = performance.now() + drainMs;
  for (let busy = true; busy;) {
    busy = false;
    for (const socket of sockets.clients) {
      if (performance.now() < until && isBusy(socket)) busy = true;
      else socket.close(GOING_AWAY, 'Going away');
    }
    if (busy) await sleep(LOOK_MS);
  }
  const deadline = setTimeout(() => {
    for (const socket of sockets.clients) socket.terminate();
  }, CLOSING_GRACE_MS);
  await closed;
  clearTimeout(deadline);
}
