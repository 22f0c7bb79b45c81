import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, it, describe } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

import { gatewayOverRemoteShops } from '../testing/gateway-over-remote-shops.ts';
import { aClient, watch } from '../testing/ws-clients.ts';

const { at, log, open, streamUrl } = gatewayOverRemoteShops();

type Step = 'the handshake' | 'the greeting' | 'the subscription' | 'an event';
const steps: Step[] = ['the handshake', 'the greeting', 'the subscription', 'an event'];

/** Starts a subgraph, in place of the reviews, that closes each WebSocket after one step. */
async function closing(step: Step, close: (socket: WebSocket, id?: string) => void) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  at('reviews').url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const seen = { handshakes: 0 };
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws' });
  sockets.on('connection', (socket: WebSocket) => {
    seen.handshakes += 1;
    if (step === 'the handshake') return close(socket);
    socket.on('message', (data: Buffer) => {
      const { type, id } = JSON.parse(data.toString()) as { type: string; id?: string };
      if (type === 'connection_init') {
        if (step === 'the greeting') return close(socket);
        socket.send(JSON.stringify({ type: 'connection_ack' }));
      }
      if (type === 'subscribe') {
        if (step === 'an event') {
          socket.send(JSON.stringify({ type: 'next', id, payload: { data: { reviewed: { stars: 5 } } } }));
        }
        close(socket, id);
      }
    });
  });
  return { seen, stop: () => server.close() };
}

describe('a subgraph that closes its WebSocket', () => {
  const cases = [1000, 1001, 1012, 4000, 4400, 4403, 4499, 4500].flatMap((code) =>
    steps.map((step) => [code, step] as const),
  );
  it.each(cases)(
    'with %i after %s, before the end of the stream, is not connected to again, and the client is told',
    async (code, step) => {
      const subgraph = await closing(step, (socket) => socket.close(code));
      await open();
      const client = aClient(streamUrl());

      const { results, ended } = watch(client, 'subscription { reviewed { stars } }');

      expect(await ended).toBe('complete');
      expect(results.at(-1)).toMatchObject({ errors: [{ extensions: { reason: 'SUBGRAPH_UNAVAILABLE' } }] });
      expect(results).toHaveLength(step === 'an event' ? 2 : 1);
      expect(subgraph.seen.handshakes).toBe(1);
      expect(log).toContainEqual(expect.objectContaining({ subgraph: 'reviews', reason: String(code) }));
      await client.dispose();
      subgraph.stop();
    },
  );

  it('may end the stream before', async () => {
    const subgraph = await closing('an event', (socket, id) => {
      socket.send(JSON.stringify({ type: 'complete', id }));
      socket.close(1000);
    });
    await open();
    const client = aClient(streamUrl());

    const { results, ended } = watch(client, 'subscription { reviewed { stars } }');

    expect(await ended).toBe('complete');
    expect(results).toEqual([{ data: { reviewed: { stars: 5 } } }]);
    expect(subgraph.seen.handshakes).toBe(1);
    expect(log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    await client.dispose();
    subgraph.stop();
  });
});
