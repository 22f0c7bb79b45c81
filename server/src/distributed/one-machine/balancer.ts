import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

interface BalancerOptions {
  port: number;
  host: string;
  /** Ports on this machine. */
  targets: readonly number[];
}

export interface Balancer {
  /** @returns the port that it listens on: a free one if `port` is 0 */
  listen(options: BalancerOptions): Promise<number>;
  /** Closes the remaining connections. Stop the targets first: they close theirs in order. */
  stop(): Promise<void>;
}

/**
 * Distributes TCP connections over several processes in turn, skipping those that don't accept. It doesn't read what
 * passes: requests, uploads, streams and WebSockets all work.
 */
export function createBalancer(): Balancer {
  let targets: readonly number[] = [];
  let last = 0;
  const open = new Set<Socket>();

  function pass(client: Socket, left: number): void {
    const target = targets[(last += 1) % targets.length] ?? 0;
    const server = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true });
    const tryNext = () => {
      if (left > 1 && !client.destroyed) pass(client, left - 1);
      else client.destroy();
    };
    server.once('error', tryNext).once('connect', () => {
      server.off('error', tryNext).on('error', () => client.destroy());
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
