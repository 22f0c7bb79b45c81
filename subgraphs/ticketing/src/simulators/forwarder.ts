import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

interface Forwarder {
  port: number;
  stop(): Promise<void>;
}

/**
 * A port on 127.0.0.1 whose connections are passed on to another one there. They are accepted at once, and wait until
 * that one is known.
 *
 * @param findPort asked for each connection; that it fails is a bug, and nobody catches it
 */
export async function openForwarder(findPort: () => Promise<number>): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => void forward(keep(client)));

  async function forward(client: Socket): Promise<void> {
    const port = await findPort();
    try {
      const upstream = keep(connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true }));
      await Promise.all([pipeline(client, upstream), pipeline(upstream, client)]);
    } catch {
      client.destroy(); // one side has gone
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
