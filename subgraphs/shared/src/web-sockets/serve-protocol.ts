import type { IncomingMessage } from 'node:http';

import {
  CloseCode,
  handleProtocols,
  makeServer,
  MessageType,
  parseMessage,
  type Message,
  type ServerOptions,
} from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import type { RawData, WebSocket, WebSocketServer } from 'ws';

import { nestsTooDeep } from '../graphql/nesting.ts';
import { guarded } from '../telemetry/guarded.ts';
import type { Log } from '../telemetry/log.ts';
import { operationIds, type OperationIds } from './operation-ids.ts';

interface Serving {
  log: Log;
  /** The interval of pings, each of which a client must answer before the next; 0 for none. */
  pingMs: number;
}

/** Bytes that a close frame leaves for the reason (RFC 6455, section 5.5). */
const REASON_BYTES = 123;

/**
 * The longest message other than `subscribe`, in characters: `connection_init` stays in memory as long as its connection. It
 * holds what browsers can't send as headers, and so may be as long as Node lets the head of a request be.
 */
const LONGEST_MESSAGE = 16_384;

/** The messages of clients. graphql-ws would take a server's message from a client for a bug of ours. */
const ofClients: ReadonlySet<MessageType> = new Set([
  MessageType.ConnectionInit,
  MessageType.Ping,
  MessageType.Pong,
  MessageType.Subscribe,
  MessageType.Complete,
]);

type Greeting = Readonly<Record<string, unknown>> | undefined;

/**
 * Serves graphql-transport-ws on the WebSockets of a server, as `useServer` of graphql-ws does; but whatever a client sends
 * closes at most its own connection, with a close code of the protocol. Errors are only logged, and never thrown into ws.
 */
export function serveProtocol<Remembered extends object>(
  options: ServerOptions<Greeting, Extra & Partial<Remembered>>,
  sockets: WebSocketServer,
  { log, pingMs }: Serving,
): void {
  const protocol = makeServer(options);
  const guard = <Parameters extends unknown[]>(what: string, run: (...parameters: Parameters) => unknown) =>
    guarded(log, what, run);

  function open(socket: WebSocket, request: IncomingMessage) {
    // For a frame that is too large or malformed ws itself closes with the right code.
    socket.on('error', (err) => log.debug({ reason: err.message }, 'a WebSocket client broke the protocol'));
    const stopPings = pingMs > 0 ? expectPongs(socket, pingMs) : () => undefined;
    let ids: OperationIds | undefined;
    const speaking = {
      protocol: socket.protocol,
      send: (text: string) => send(socket, ids ? ids.answer(text) : text),
      close: (code: number, reason = '') => socket.close(code, shortened(reason)),
      onMessage: (hear: (text: string) => Promise<void>) => {
        ids = operationIds(hear);
        socket.on('message', guard('a WebSocket message', listener(socket, ids, log)));
      },
    };
    const closed = protocol.opened(speaking, { socket, request } as Extra & Partial<Remembered>);
    socket.once('close', stopPings);
    socket.once(
      'close',
      guard('the end of a WebSocket', (code: number, reason: Buffer) => closed(code, String(reason))),
    );
  }

  sockets.options.handleProtocols = handleProtocols;
  sockets.on('error', (err) => log.error({ err }, 'the WebSocket server failed'));
  sockets.on('connection', guard('a new WebSocket', open));
}

/** Sends a text, if any. A failure means that the client has gone: it is ignored, and the socket closes by itself. */
const send = (socket: WebSocket, text: string | undefined) =>
  new Promise<void>((resolve) => {
    if (text === undefined || socket.readyState !== socket.OPEN) return resolve();
    socket.send(text, () => resolve());
  });

const shortened = (reason: string): string => {
  const bytes = Buffer.from(reason);
  // `stream` drops the half of a character that the cut may leave.
  return bytes.length <= REASON_BYTES
    ? reason
    : new TextDecoder().decode(bytes.subarray(0, REASON_BYTES), { stream: true });
};

const listener =
  (socket: WebSocket, ids: OperationIds, log: Log) =>
  async (data: RawData): Promise<void> => {
    const text = (data as Buffer).toString(); // ws's binaryType is `nodebuffer`
    const message = speakable(text);
    if (!message) return socket.close(CloseCode.BadRequest, 'Invalid message received');
    try {
      await ids.hear(message, text);
    } catch (err) {
      log.error({ err }, 'a WebSocket message failed');
      socket.close(CloseCode.InternalServerError, 'Internal server error');
    }
  };

/** The message that a client may send; the payload of `subscribe` is checked by admission. */
function speakable(text: string): Message | undefined {
  try {
    const message = parseMessage(text);
    if (message.type === MessageType.Subscribe) return message;
    const fits = ofClients.has(message.type) && text.length <= LONGEST_MESSAGE && !nestsTooDeep(message);
    return fits ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Terminates the connection of a client that does not answer a ping before the next one is due. */
function expectPongs(socket: WebSocket, everyMs: number): () => void {
  let answered = true;
  const pings = setInterval(() => {
    if (socket.readyState !== socket.OPEN) return;
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, everyMs);
  socket.on('pong', () => (answered = true));
  return () => clearInterval(pings);
}
