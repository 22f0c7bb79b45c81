import type { WebSocket } from 'ws';

/** The limits of one connection. */
export interface FloodLimits {
  /** Messages and pings a minute; 0 is no limit. */
  messages: number;
  /** Unread bytes after which another message closes the connection. */
  unreadBytes: number;
}

const POLICY_VIOLATION = 1008;
const MINUTE_MS = 60_000;
/** How long to wait for a client's close frame. */
const CLOSING_GRACE_MS = 2_000;

/**
 * Disconnects a client that sends too many messages, or keeps sending without reading: each response, down to the pong for
 * its ping, would wait in our memory.
 */
export function endFloods(socket: WebSocket, { messages, unreadBytes }: FloodLimits): void {
  let since = performance.now();
  let count = 0;

  function sendAway(why: string) {
    socket.removeAllListeners('message');
    socket.close(POLICY_VIOLATION, why);
    const deadline = setTimeout(() => socket.terminate(), CLOSING_GRACE_MS); // it may not be reading
    socket.once('close', () => clearTimeout(deadline));
  }
  function look() {
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > unreadBytes) return sendAway('Too much unread');
    const now = performance.now();
    if (now - since > MINUTE_MS) {
      since = now;
      count = 0;
    }
    count += 1;
    if (messages > 0 && count > messages) sendAway('Too many messages');
  }
  socket.on('message', look).on('ping', look);
}
