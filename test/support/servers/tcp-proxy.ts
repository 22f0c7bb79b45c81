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
}

const END_OF_MAIL = '\r\n.\r\n';

/** @param target the port of the real server, on this machine */
export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let mode: 'through' | 'hushed' | 'swallowing' = 'through';

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
    client.on('data', (said: Buffer) => {
      end = (end + said.toString('latin1')).slice(-END_OF_MAIL.length);
      if (mode === 'swallowing' && end === END_OF_MAIL) isMuted = true;
      upstream.write(said);
    });
    upstream.on('data', (answer: Buffer) => isSilent() || client.write(answer));
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
  };
}
