import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';

import { GraphQLError } from 'graphql';
import { createClient } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';

import { gatewayOverRemoteShops } from '../testing/gateway-over-remote-shops.ts';
import { shops } from '../testing/shops.ts';
import { aClient, watch } from '../testing/ws-clients.ts';

const { ask, at, log, open, inPlaceOf, streamUrl } = gatewayOverRemoteShops();

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
    const silent = await inPlaceOf('reviews', createServer());
    await open({ SUBGRAPH_TIMEOUT_MS: '100' });

    expect(await follow()).toMatchObject([unavailable]);
    silent.close();
  });

  it('end with an error when the greeting is never acknowledged', async () => {
    const silent = await inPlaceOf('reviews', createHttpServer());
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
    const server = await inPlaceOf('reviews', createHttpServer());
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
    const silent = await inPlaceOf('reviews', createServer());
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
    const refusing = await inPlaceOf('reviews', createHttpServer());
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
    const refusing = await inPlaceOf(
      'reviews',
      createHttpServer((_, response) => response.writeHead(401).end()),
    );
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
