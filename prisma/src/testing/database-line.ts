import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * When a line breaks: as soon as somebody connects, as soon as they say anything (those too who are connected), or
 * before or after they say a certain text.
 */
type Breaking = 'accepted' | 'heard' | { at: string; after?: boolean };

/** A line to a PostgreSQL that accepts connections, and may drop them. */
export interface DatabaseLine {
  url: string;
  /** From now on; undefined for a line that holds. */
  breaks(how: Breaking | undefined): void;
  stop(): Promise<void>;
}

/** @param url of the real PostgreSQL; it speaks without TLS */
export async function databaseLine(url: string): Promise<DatabaseLine> {
  const to = new URL(url);
  const open = new Set<Socket>();
  let breaking: Breaking | undefined;

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
    client.on('data', (bytes: Buffer) => {
      if (breaking === 'heard') return hangUp();
      if (typeof breaking === 'object' && bytes.includes(breaking.at)) {
        if (!breaking.after) return hangUp();
        server.removeAllListeners('data').once('data', hangUp); // it has done what it was told, and nobody hears of it
      }
      server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => client.write(bytes));
  }

  const listener = createServer(carry).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String((listener.address() as AddressInfo).port) })
      .href,
    breaks: (how) => void (breaking = how),
    async stop() {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
