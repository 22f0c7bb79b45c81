import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

interface Forwarder {
  port: number;
  stop(): Promise<void>;
}

/**
 * A port whose connections are passed on to a Unix socket. They are accepted at once, and wait until
 * somebody listens there.
 *
 * @param use called for each connection, with what passes it on; the connection is closed when it fails
 * @param at where it listens
 */
export async function openForwarder(
  socketPath: string,
  use: (pass: () => Promise<void>) => Promise<void>,
  at: { host: string; port: number },
): Promise<Forwarder> {
  const sockets = new Set<Socket>();
  function keep(socket: Socket): Socket {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  }
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    keep(client);
    use(() => forward(client)).catch(() => client.destroy());
  });

  async function forward(client: Socket): Promise<void> {
    try {
      const upstream = keep(connect({ path: socketPath, allowHalfOpen: true }));
      await Promise.all([pipeline(client, upstream), pipeline(upstream, client)]);
    } catch {
      client.destroy(); // one side has gone
    }
  }

  server.listen(at);
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
