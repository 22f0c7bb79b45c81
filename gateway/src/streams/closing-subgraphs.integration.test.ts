import { createServer as createHttpServer } from 'node:http';

import { describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

import { gatewayOverRemoteShops } from '../testing/gateway-over-remote-shops.ts';
import { aClient, watch } from '../testing/ws-clients.ts';

const { open, inPlaceOf, streamUrl } = gatewayOverRemoteShops();

describe('subscriptions whose subgraph takes them and closes at once', () => {
  const query = 'subscription { reviewed { stars } }';

  /** Subscribes so often, one after the other, and counts the handshakes of the subgraph. */
  async function handshakesOf(times: number, serve: (socket: WebSocket) => void, env: Record<string, string> = {}) {
    let handshakes = 0;
    const server = await inPlaceOf('reviews', createHttpServer());
    new WebSocketServer({ server }).on('connection', (socket) => {
      handshakes += 1;
      serve(socket);
    });
    await open({ SUBGRAPH_BREAKER_FAILURES: '2', SUBGRAPH_BREAKER_MS: '60000', ...env });
    const client = aClient(streamUrl());
    for (let at = 0; at < times; at += 1) expect(await watch(client, query).ended).toBe('complete');
    await client.dispose();
    server.closeAllConnections();
    server.close();
    return handshakes;
  }
  /** Greets, and sends an event, before it goes on. */
  const afterAnEvent = (goOn: (socket: WebSocket, id: string) => void) => (socket: WebSocket) =>
    socket.on('message', (data: Buffer) => {
      const { type, id = '' } = JSON.parse(data.toString()) as { type: string; id?: string };
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
      if (type !== 'subscribe') return;
      socket.send(JSON.stringify({ id, type: 'next', payload: { data: { reviewed: { stars: 1 } } } }));
      goOn(socket, id);
    });

  it.each<[string, (socket: WebSocket) => void]>([
    ['before it greets', (socket) => socket.close(1000)],
    ['after an event', afterAnEvent((socket) => socket.close(1000))],
    ['without a word', (socket) => socket.terminate()],
  ])('are refused for a while, without a handshake: %s', async (_when, serve) => {
    expect(await handshakesOf(5, serve)).toBe(2);
  });

  it.each<[string, (socket: WebSocket) => void]>([
    ['completes them', afterAnEvent((socket, id) => socket.send(JSON.stringify({ id, type: 'complete' })))],
    ['does not take their credential', (socket) => socket.close(4403, 'Forbidden')],
  ])('are all opened where it %s', async (_how, serve) => {
    expect(await handshakesOf(5, serve)).toBe(5);
  });

  it('are opened again once it serves them', async () => {
    let broken = true;
    const complete = afterAnEvent((socket, id) => socket.send(JSON.stringify({ id, type: 'complete' })));
    const handshakes = await handshakesOf(
      4,
      (socket) => {
        if (!broken) return complete(socket);
        broken = false;
        return socket.close(1000);
      },
      { SUBGRAPH_BREAKER_FAILURES: '1', SUBGRAPH_BREAKER_MS: '1' },
    );

    expect(handshakes).toBeGreaterThan(1);
  });
});
