import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy in front of a server that a test controls, with real connections. */
export interface TcpProxy {
  port: number;
  /** Lets everything through. */
  open(): Promise<void>;
  /** As if the machine were off: connections are refused, and those that are open break. */
  shut(): Promise<void>;
  /** Accepts connections and data, and never answers. */
  hush(): void;
  /** Lets a mail through, and holds back the answer of the server after its last line. */
  swallowReceipt(): void;
  /** Holds back the answers on connections on which something with this text is sent from now on, until `open`. */
  holdAnswerTo(text: string): void;
}

const END_OF_MAIL = '\r\n.\r\n';

/** @param target the port of the real server, on this machine */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let mode: 'through' | 'hushed' | 'swallowing' = 'through';
  let held = '';
  let released = Promise.resolve();
  let release = () => {};

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    let isMuted = mode === 'hushed';
    let end = ''; // the last line may be split
    // Also on a connection that was open before, because mail clients keep theirs.
    const isSilent = () => isMuted || mode === 'hushed';
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    }
    let answered = Promise.resolve(); // each part of an answer follows the one before
    let isHeld = false;
    client.on('data', (said: Buffer) => {
      isHeld ||= held !== '' && said.includes(held);
      end = (end + said.toString('latin1')).slice(-END_OF_MAIL.length);
      if (mode === 'swallowing' && end === END_OF_MAIL) isMuted = true;
      upstream.write(said);
    });
    upstream.on('data', (answer: Buffer) => {
      if (isSilent()) return;
      if (!isHeld) client.write(answer);
      else answered = Promise.all([answered, released]).then(() => void client.write(answer));
    });
    client.on('close', () => upstream.end());
    upstream.on('close', () => isSilent() || client.end());
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return address && typeof address === 'object' ? address.port : 0;
  };
  const port = await listen(0);

  return {
    port,
    async open() {
      mode = 'through';
      held = '';
      release();
      if (!server.listening) await listen(port);
    },
    async shut() {
      mode = 'through';
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
    hush: () => void (mode = 'hushed'),
    swallowReceipt: () => void (mode = 'swallowing'),
    holdAnswerTo(text) {
      held = text;
      ({ promise: released, resolve: release } = Promise.withResolvers<void>());
    },
  };
}
