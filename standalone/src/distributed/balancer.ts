import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

interface Balanced {
  port: number;
  host: string;
  /** On this machine. */
  targets: readonly number[];
}

/**
 * Stands before several processes as one address, and hands each connection to the next of them that takes it.
 * It looks at no byte: requests, uploads, streams and WebSockets all pass as they are.
 */
export async function openBalancer({ port, host, targets }: Balanced): Promise<{ stop(): Promise<void> }> {
  let last = 0;
  const open = new Set<Socket>();

  function pass(client: Socket, left: number): void {
    const target = targets[(last += 1) % targets.length] ?? 0;
    const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const toTheNext = () => {
      if (left > 1 && !client.destroyed) pass(client, left - 1);
      else client.destroy();
    };
    server.once('error', toTheNext).once('connect', () => {
      server.off('error', toTheNext).on('error', () => client.destroy());
      server.once('close', () => client.destroy());
      client.once('close', () => server.destroy());
      client.pipe(server).pipe(client);
    });
  }

  const balancer = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    open.add(client);
    client.once('close', () => open.delete(client)).on('error', () => client.destroy());
    pass(client, targets.length);
  }).listen(port, host);
  await once(balancer, 'listening');

  return {
    async stop() {
      balancer.close();
      for (const socket of open) socket.destroy();
      await once(balancer, 'close');
    },
  };
}
