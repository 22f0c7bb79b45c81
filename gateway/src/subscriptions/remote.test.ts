import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { createClient } from 'graphql-ws';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';

import { gatewayOverRemoteShops } from '../testing/gateway-over-remote-shops.ts';
import { shops } from '../testing/shops.ts';

const { at, open, streamUrl } = gatewayOverRemoteShops();

describe('subscriptions of subgraphs on the network', () => {
  it('are joined with what others know, and one upstream serves all who ask the same', async () => {
    await open({ GRAPHQL_SHARED_SUBSCRIPTIONS: '*' });
    const client = createClient({ url: streamUrl(), webSocketImpl: WebSocket });
    const query = 'subscription { reviewed { stars author { name } } }';
    const first = client.iterate({ query });
    const second = client.iterate({ query });
    const event = { data: { reviewed: { stars: 1, author: { name: 'Aminah' } } } };
    const nexts = Promise.all([first.next(), second.next()]);
    await vi.waitFor(() => expect(shops.watchers()).toBe(1));

    shops.review();

    expect((await nexts).map(({ value }) => value)).toEqual([event, event]);
    await Promise.all([first.return?.(), second.return?.()]);
    await vi.waitFor(() => expect(shops.watchers()).toBe(0));
    await client.dispose();
  });

  /** What a client hears of a stream, to its end. */
  async function follow(): Promise<unknown[]> {
    const client = createClient({ url: streamUrl(), webSocketImpl: WebSocket });
    const heard: unknown[] = [];
    for await (const result of client.iterate({ query: 'subscription { reviewed { stars } }' })) heard.push(result);
    await client.dispose();
    return heard;
  }
  const unavailable = { errors: [{ extensions: { reason: 'SUBGRAPH_UNAVAILABLE' } }] };

  it('end with a word about it at an event that is too large', async () => {
    await open({ SUBGRAPH_MAX_ANSWER_BYTES: '100' });
    const heard = follow();
    await vi.waitFor(() => expect(shops.watchers()).toBe(1));

    shops.review();

    expect(await heard).toMatchObject([unavailable]);
    await vi.waitFor(() => expect(shops.watchers()).toBe(0));
  });

  it('end with a word about it when nobody answers the greeting', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    at('reviews').url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await open({ SUBGRAPH_TIMEOUT_MS: '100' });

    expect(await follow()).toMatchObject([unavailable]);
    silent.close();
  });

  it('tell the last event whole, though the stream of the subgraph ends before the others have answered', async () => {
    await open();
    at('users').delayMs = 100;
    const client = createClient({ url: streamUrl(), webSocketImpl: WebSocket });
    const told: unknown[] = [];
    const following = (async () => {
      const query = 'subscription { reviewed { stars author { name } } }';
      for await (const event of client.iterate({ query })) told.push(event);
    })();
    await vi.waitFor(() => expect(shops.watchers()).toBe(1));

    shops.reviewForTheLastTime();
    await following;

    expect(told).toEqual([{ data: { reviewed: { stars: 1, author: { name: 'Aminah' } } } }]);
    await client.dispose();
  });
});
