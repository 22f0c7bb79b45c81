import type { WebSocket } from 'ws';

/** What one connection may do to us. */
export interface FloodLimits {
  /** Messages and pings a minute; 0 is no limit. */
  messages: number;
  /** Bytes of answers that a client has not read, when it sends yet another message. */
  unreadBytes: number;
}

const POLICY_VIOLATION = 1008;
const MINUTE_MS = 60_000;
/** How long a client may take to hear that it is sent away. */
const CLOSING_GRACE_MS = 2_000;

/**
 * Sends away a client that talks without end, or that asks on and on and does not read: each answer, down to
 * the pong for its ping, would wait in our memory.
 */
export function endFloods(socket: WebSocket, { messages, unreadBytes }: FloodLimits): void {
  let since = performance.now();
  let count = 0;

  function sendAway(why: string) {
    socket.removeAllListeners('message');
    socket.close(POLICY_VIOLATION, why);
    const impatience = setTimeout(() => socket.terminate(), CLOSING_GRACE_MS); // it may not be reading
    socket.once('close', () => clearTimeout(impatience));
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
