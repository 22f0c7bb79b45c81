import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

interface Balanced {
  port: number;
  host: string;
  /** On this machine. */
  targets: readonly number[];
}

export interface Balancer {
  /** @returns the port: one of its own choice where 0 was asked for */
  listen(balanced: Balanced): Promise<number>;
  /** Cuts off who is still connected: to be stopped after those it stands before, which let their clients go. */
  stop(): Promise<void>;
}

/**
 * Stands before several processes as one address, and hands each connection to the next of them that takes it.
 * It looks at no byte: requests, uploads, streams and WebSockets all pass as they are.
 */
export function createBalancer(): Balancer {
  let targets: readonly number[] = [];
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
  });

  return {
    async listen({ port, host, targets: given }) {
      targets = given;
      balancer.listen(port, host);
      await once(balancer, 'listening');
      return (balancer.address() as AddressInfo).port;
    },
    async stop() {
      for (const socket of open) socket.destroy();
      if (!balancer.listening) return;
      balancer.close();
      await once(balancer, 'close');
    },
  };
}
