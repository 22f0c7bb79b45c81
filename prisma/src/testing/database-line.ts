import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * When the proxy breaks connections: on connect, on the next bytes (also of open connections), before or after bytes that
 * contain a text, or as soon as the server is ready. It can say before that the server stops, as PostgreSQL does. Or it is
 * silent: connections stay open, and nothing passes. Or the open ones are lost, as by a failover: their sessions end, of which
 * nobody is told, and new ones pass.
 */
type Breaking = 'accepted' | 'heard' | 'ready' | 'silent' | 'lost' | { at: string; after?: boolean; says?: boolean };

/** PostgreSQL's messages ErrorResponse and, in a transaction or not, ReadyForQuery (protocol 3.0). */
export const stopping: Buffer = message(
  'E',
  'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0',
);
const isReady = (bytes: Buffer) => ['I', 'T'].some((state) => bytes.subarray(-6).equals(message('Z', state)));

function message(kind: string, text: string): Buffer {
  const content = Buffer.from(text);
  const bytes = Buffer.alloc(5 + content.length);
  bytes.write(kind);
  bytes.writeUInt32BE(4 + content.length, 1);
  content.copy(bytes, 5);
  return bytes;
}

/** A proxy in front of PostgreSQL that can break connections. */
export interface DatabaseLine {
  url: string;
  /** Sets when connections break from now on; undefined for never. */
  breaks(how: Breaking | undefined): void;
  stop(): Promise<void>;
}

/** Starts the proxy. @param url of the real PostgreSQL, which must not use TLS */
export async function databaseLine(url: string): Promise<DatabaseLine> {
  const to = new URL(url);
  const open = new Set<Socket>();
  let breaking: Breaking | undefined;
  const loses = new Set<() => void>();

  function carry(client: Socket): void {
    open.add(client);
    client.on('error', () => undefined).once('close', () => open.delete(client));
    if (breaking === 'accepted') return void client.destroy();
    const server = connect(Number(to.port), to.hostname);
    open.add(server);
    const hangUp = () => {
      client.destroy();
      server.destroy();
    };
    server.on('error', hangUp).once('close', () => (open.delete(server), hangUp()));
    client.once('close', hangUp);
    const lose = () => {
      server.removeAllListeners('close').destroy();
      client.removeAllListeners('data').resume();
    };
    loses.add(lose);
    client.once('close', () => loses.delete(lose));
    client.on('data', (bytes: Buffer) => {
      if (breaking === 'silent') return;
      if (breaking === 'heard') return hangUp();
      if (typeof breaking === 'object' && bytes.includes(breaking.at)) {
        if (breaking.says) return void client.end(stopping, hangUp);
        if (!breaking.after) return hangUp();
        server.removeAllListeners('data').once('data', hangUp); // the server has run the statement, but the response is lost
      }
      server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => {
      if (breaking === 'silent') return;
      if (breaking === 'ready' && isReady(bytes)) client.end(Buffer.concat([bytes, stopping]), hangUp);
      else client.write(bytes);
    });
  }

  const listener = createServer(carry).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String((listener.address() as AddressInfo).port) })
      .href,
    breaks(how) {
      breaking = how;
      if (how === 'lost') for (const lose of loses) lose();
    },
    async stop() {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
