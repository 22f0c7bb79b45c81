import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

import { networkOf } from '@foyer/shared/http/addresses/address';
import { guarded } from '@foyer/shared/telemetry/guarded';
import { WebSocketServer, type WebSocket } from 'ws';

import { openConnections } from '@foyer/shared/graphql/metrics';
import { closeSockets } from '@foyer/shared/web-sockets/close-sockets';
import { openCounts } from '../request/open-counts.ts';
import { addressOf } from './connection.ts';
import { endFloods } from './floods.ts';
import type { WebSocketNeeds } from './needs.ts';
import { isBusy, operations, type Remembered } from './operations.ts';
import { serveProtocol } from '@foyer/shared/web-sockets/serve-protocol';

const PATH = '/graphql';

export interface SubscriptionServer {
  /** Handles the upgrades to `/graphql` of an HTTP server, and ignores all others. */
  attach(server: Server): void;
  /** Refuses new operations, ends streams, and lets queries and mutations end, as long as they may take. */
  stop(): Promise<void>;
}

/** GraphQL over WebSocket: the protocol graphql-transport-ws. */
export function subscriptionServer(needs: Omit<WebSocketNeeds, 'stopping'>): SubscriptionServer {
  const { config, log } = needs;
  const stopping = new AbortController();
  const ofAddress = openCounts();
  const attached = new Set<Server>();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: config.limits.bodyBytes });
  // A client that is gone without closing its connection does not answer a ping.
  serveProtocol<Remembered>(operations({ ...needs, stopping: stopping.signal }), sockets, {
    log,
    pingMs: config.webSocket.pingMs,
  });
  let stopped: Promise<void> | undefined;

  const count = (socket: WebSocket) => {
    openConnections.inc();
    endFloods(socket, config.webSocket);
    socket.once('close', () => openConnections.dec());
  };
  sockets.on('connection', guarded(log, 'counting a WebSocket', count));

  function upgrade(this: Server, request: IncomingMessage, socket: Duplex, head: Buffer) {
    if (request.url?.split('?', 1)[0] !== PATH) {
      if (this.listenerCount('upgrade') === 1) refuse(socket, '404 Not Found'); // no other listener will respond
      return;
    }
    const { connections, connectionsPerAddress } = config.webSocket;
    if (stopping.signal.aborted || sockets.clients.size >= connections)
      return refuse(socket, '503 Service Unavailable');
    const address = networkOf(addressOf(request, config));
    if (connectionsPerAddress > 0 && ofAddress.of(address) >= connectionsPerAddress)
      return refuse(socket, '429 Too Many Requests');
    // A closure made here, which lives as long as the connection, would keep the request of the upgrade.
    socket.once('close', ofAddress.add(address));
    sockets.handleUpgrade(request, socket, head, (webSocket) => sockets.emit('connection', webSocket, request));
  }

  /** Catches every error: one thrown into the HTTP server would end the process. */
  function guardedUpgrade(this: Server, request: IncomingMessage, socket: Duplex, head: Buffer) {
    try {
      upgrade.call(this, request, socket, head);
    } catch (err) {
      log.error({ err }, 'an upgrade failed');
      socket.destroy();
    }
  }

  async function close() {
    stopping.abort();
    await closeSockets(sockets, { isBusy, drainMs: config.drainMs });
    for (const server of attached) server.off('upgrade', guardedUpgrade);
  }

  return {
    attach(server) {
      attached.add(server);
      server.on('upgrade', guardedUpgrade);
    },
    stop: () => (stopped ??= close()),
  };
}

function refuse(socket: Duplex, status: string) {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
