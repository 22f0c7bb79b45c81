import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { GraphQLError } from 'graphql';
import { createClient } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

import { gatewayOverRemoteShops } from '../testing/gateway-over-remote-shops.ts';
import { shops } from '../testing/shops.ts';
import { aClient, aSocket, watch } from '../testing/ws-clients.ts';

const { ask, at, log, open, streamUrl } = gatewayOverRemoteShops();

/** Starts another server at the address of the reviews. */
async function inPlaceOfReviews<S extends Server>(server: S): Promise<S> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  at('reviews').url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return server;
}

describe('subscriptions of subgraphs on the network', () => {
  it('are joined with the data of others, and one upstream serves all equal subscriptions', async () => {
    await open({ GRAPHQL_SHARED_SUBSCRIPTIONS: '*' });
    const client = createClient({ url: streamUrl(), webSocketImpl: WebSocket });
    const query = 'subscription { reviewed { stars author { name } } }';
    const first = client.iterate({ query });
    const second = client.iterate({ query });
    const event = { data: { reviewed: { stars: 1, author: { name: 'Aminah' } } } };
    const nexts = Promise.all([first.next(), second.next()]);
    await expect.poll(() => shops.watchers()).toBe(1);

    shops.review();

    expect((await nexts).map(({ value }) => value)).toEqual([event, event]);
    await Promise.all([first.return?.(), second.return?.()]);
    await expect.poll(() => shops.watchers()).toBe(0);
    await client.dispose();
  });

  /** The messages that a client gets from a stream, to its end. */
  async function follow(): Promise<unknown[]> {
    const client = createClient({ url: streamUrl(), webSocketImpl: WebSocket });
    const heard: unknown[] = [];
    for await (const result of client.iterate({ query: 'subscription { reviewed { stars } }' })) heard.push(result);
    await client.dispose();
    return heard;
  }
  const unavailable = { errors: [{ extensions: { reason: 'SUBGRAPH_UNAVAILABLE' } }] };

  it('end with an error at an event that is too large', async () => {
    await open({ SUBGRAPH_MAX_ANSWER_BYTES: '100' });
    const heard = follow();
    await expect.poll(() => shops.watchers()).toBe(1);

    shops.review();

    expect(await heard).toMatchObject([unavailable]);
    await expect.poll(() => shops.watchers()).toBe(0);
  });

  it('end with an error when nobody answers the greeting', async () => {
    const silent = await inPlaceOfReviews(createServer());
    await open({ SUBGRAPH_TIMEOUT_MS: '100' });

    expect(await follow()).toMatchObject([unavailable]);
    silent.close();
  });

  it('end with an error when the greeting is never acknowledged', async () => {
    const silent = await inPlaceOfReviews(createHttpServer());
    const sockets = new WebSocketServer({ server: silent });
    await open({ SUBGRAPH_TIMEOUT_MS: '100' });

    expect(await follow()).toMatchObject([unavailable]);
    expect(log).toContainEqual(
      expect.objectContaining({ reason: '4504 Connection acknowledgement timeout', subgraph: 'reviews' }),
    );
    sockets.close();
    silent.closeAllConnections();
    silent.close();
  });

  it('keep to the protocol: they greet with the forwarded headers, subscribe once, answer pings and complete', async () => {
    const heard: unknown[] = [];
    const server = await inPlaceOfReviews(createHttpServer());
    new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws' }).on('connection', (socket) => {
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as { type: string };
        heard.push(message);
        if (message.type === 'connection_init') socket.send('{"type":"connection_ack"}');
        if (message.type === 'subscribe') socket.send('{"type":"ping","payload":{"at":1}}');
      });
      socket.on('close', (code) => heard.push(code));
    });
    await open({ FORWARD_HEADERS: 'authorization' });
    const client = aClient(streamUrl(), { headers: { authorization: 'Bearer mine' } });
    const { leave } = watch(client, 'subscription { reviewed { stars } }');
    await expect.poll(() => heard).toContainEqual({ type: 'pong', payload: { at: 1 } });

    leave();

    await expect.poll(() => heard).toContain(1000);
    expect(heard).toMatchObject([
      { type: 'connection_init', payload: { authorization: 'Bearer mine' } },
      { type: 'subscribe', payload: { query: expect.stringContaining('reviewed') } },
      { type: 'pong' },
      { type: 'complete' },
      1000,
    ]);
    await client.dispose();
    server.closeAllConnections();
    server.close();
  });

  it('may be closed while the subgraph does not answer the greeting', async () => {
    const silent = await inPlaceOfReviews(createServer());
    await open({ SUBGRAPH_TIMEOUT_MS: '300' });
    const client = aClient(streamUrl());
    const greeting = once(silent, 'connection');
    const { leave } = watch(client, 'subscription { reviewed { stars } }');
    const [socket] = (await greeting) as [Socket];
    const givenUp = once(socket.resume(), 'close');

    leave();
    await givenUp;

    // An unhandled rejection would fail this file.
    expect((await ask('{ me { name } }')).data).toEqual({ me: { name: 'Aminah' } });
    await client.dispose();
    silent.close();
  });

  it('that their subgraph refuses end with its refusal', async () => {
    const refusing = await inPlaceOfReviews(createHttpServer());
    const refusal = new GraphQLError('Not for you.', { extensions: { code: 'FORBIDDEN', reason: 'NOT_YOURS' } });
    useServer({ onSubscribe: () => [refusal] }, new WebSocketServer({ server: refusing }));
    await open();
    const client = aClient(streamUrl());

    const { results, ended } = watch(client, 'subscription { reviewed { stars } }');

    expect(await ended).toBe('complete');
    expect(results).toMatchObject([{ errors: [{ message: 'Not for you.', extensions: { reason: 'NOT_YOURS' } }] }]);
    await client.dispose();
    refusing.close();
  });

  describe('whose subgraph takes them and closes at once', () => {
    const query = 'subscription { reviewed { stars } }';

    /** Subscribes so often, one after the other, and counts the handshakes of the subgraph. */
    async function handshakesOf(times: number, serve: (socket: WebSocket) => void, env: Record<string, string> = {}) {
      let handshakes = 0;
      const server = await inPlaceOfReviews(createHttpServer());
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

  it('are not opened by a foreign page with the cookie of its visitor, whatever else it sends', async () => {
    await open({ FORWARD_HEADERS: 'cookie' });
    const client = aClient(streamUrl(), {
      headers: { cookie: 'session=theirs', origin: 'https://evil.example' },
      connectionParams: { authorization: 'Bearer made-up' },
    });

    expect(await watch(client, '{ me { name } }').ended).toMatchObject({ message: expect.stringContaining('403') });
    expect(at('users').requests).toEqual([]);
  });

  it('that are refused leave no credential in the log', async () => {
    const refusing = await inPlaceOfReviews(createHttpServer((_, response) => response.writeHead(401).end()));
    await open({ FORWARD_HEADERS: 'authorization' });
    const client = aClient(streamUrl(), { headers: { authorization: 'Bearer open-sesame' } });

    const { results, ended } = watch(client, 'subscription { reviewed { stars } }');

    expect(await ended).toBe('complete');
    expect(results).toMatchObject([unavailable]);
    expect(log).toContainEqual(expect.objectContaining({ reason: 'Unexpected server response: 401' }));
    expect(JSON.stringify(log)).not.toContain('open-sesame');
    refusing.close();
  });

  it('are logged with their close code', async () => {
    await open();
    const heard = follow();
    await expect.poll(() => shops.watchers()).toBe(1);

    await at('reviews').die();

    expect(await heard).toMatchObject([unavailable]);
    expect(log).toContainEqual(expect.objectContaining({ reason: '1006', subgraph: 'reviews' }));
  });

  it('bring the last event completely, though the stream of the subgraph ends before the others have answered', async () => {
    await open();
    at('users').delayMs = 100;
    const client = createClient({ url: streamUrl(), webSocketImpl: WebSocket });
    const told: unknown[] = [];
    const following = (async () => {
      const query = 'subscription { reviewed { stars author { name } } }';
      for await (const event of client.iterate({ query })) told.push(event);
    })();
    await expect.poll(() => shops.watchers()).toBe(1);

    shops.reviewForTheLastTime();
    await following;

    expect(told).toEqual([{ data: { reviewed: { stars: 1, author: { name: 'Aminah' } } } }]);
    await client.dispose();
  });
});

describe('a stream that is shared', () => {
  it('is not shared between viewers that differ for the subgraph', async () => {
    await open({ GRAPHQL_SHARED_SUBSCRIPTIONS: '*', FORWARD_HEADERS: 'authorization' });
    const clients = ['a', 'b', 'a'].map((who) => aClient(streamUrl(), { headers: { authorization: who } }));

    const heard = clients.map((client) => watch(client, 'subscription { reviewed { stars } }').results);

    await vi.waitFor(() => {
      shops.review();
      for (const results of heard) expect(results).not.toHaveLength(0);
    });
    expect(shops.watchers()).toBe(2);
    await Promise.all(clients.map(async (client) => client.dispose()));
    await expect.poll(() => shops.watchers()).toBe(0);
  });
});

describe('a client that does not read a flood of events', () => {
  const EVENTS = 120;
  const id = 'x'.repeat(500_000);

  /** Opens a client that has not read a byte since the subgraph began to flood it. */
  async function flooded() {
    const opened = await aSocket(streamUrl());
    opened.send({ type: 'connection_init' });
    await expect.poll(() => opened.messages).toHaveLength(1);
    opened.send({ type: 'subscribe', id: '1', payload: { query: 'subscription { reviewed { id } }' } });
    await expect.poll(() => shops.watchers()).toBe(1);
    opened.socket.pause();
    const before = shops.told();
    for (let at = 0; at < EVENTS; at += 1) shops.review({ id });
    return { ...opened, told: () => shops.told() - before };
  }
  /** No event says that nothing more comes. */
  const QUIET_MS = 500;

  /** Returns a value once it has not changed for a while. */
  async function settled(count: () => number): Promise<number> {
    for (;;) {
      const before = count();
      await new Promise((resolve) => void setTimeout(resolve, QUIET_MS));
      if (before > 0 && count() === before) return before;
    }
  }

  it('leaves the rest at the subgraph, and gets all of it when it reads again', async () => {
    await open();
    const { socket, messages, told } = await flooded();

    expect(await settled(told)).toBeLessThan(EVENTS);

    socket.resume();
    await vi.waitFor(() => expect(messages).toHaveLength(1 + EVENTS), 200_000);
    socket.close();
  });

  it('keeps no connection to the subgraph after it has left', async () => {
    await open();
    const { send, socket, told } = await flooded();
    await settled(told);

    send({ type: 'complete', id: '1' });

    await expect.poll(() => [shops.watchers(), at('reviews').sockets()], { timeout: 5_000 }).toEqual([0, 0]);
    socket.terminate();
  });
});
