import { connect } from 'node:net';

import { createClient } from 'graphql-sse';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { droppedEvents } from '@foyer/shared/graphql/metrics';
import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { executorNames } from '../testing/executors.ts';

describe.each(executorNames)('server-sent events, by the executor of %s', (executor) => {
  let server: ExampleServer;
  beforeEach(async () => {
    server = await startExampleServer({
      GATEWAY_EXECUTOR: executor,
      GRAPHQL_RECHECK_MS: '50',
      GRAPHQL_WS_QUEUE: '2',
      ALLOWED_ORIGINS: 'https://shop.example',
    });
  });
  afterEach(() => server.stop());

  const untilLive = (count: number) => expect.poll(() => server.seen.live).toBe(count);
  const dropped = async () => (await droppedEvents.get()).values[0]?.value ?? 0;
  const bearer = { authorization: 'Bearer customer' };
  const query = 'subscription { everyOrder { no buyer { name } } }';
  const event = (no: string) => ({ data: { everyOrder: { no, buyer: { name: 'Aminah' } } } });

  function follow(options: { query: string; headers?: Record<string, string> }) {
    const client = createClient({ url: server.url, retryAttempts: 0, headers: options.headers ?? {} });
    const results: unknown[] = [];
    const ended = Promise.withResolvers<unknown>();
    const leave = client.subscribe(
      { query: options.query },
      { next: (result) => void results.push(result), error: ended.resolve, complete: () => ended.resolve('complete') },
    );
    return { results, ended: ended.promise, leave };
  }

  describe('server-sent events, for a client of graphql-sse', () => {
    it('bring events, with fields of another subgraph', async () => {
      const { results } = follow({ query });
      await untilLive(1);

      server.publish('A1');
      server.publish('A2');

      await expect.poll(() => results).toEqual([event('A1'), event('A2')]);
    });

    it('bring the answer of a query, too', async () => {
      const { results, ended } = follow({ query: '{ order(no: 3) { no } }' });

      expect(await ended).toBe('complete');
      expect(results).toEqual([{ data: { order: { no: '3' } } }]);
    });

    it('bring the answer of a mutation that invalidates the token, such as a logout', async () => {
      server.revoke(1);
      const { results, ended } = follow({ query: 'mutation { pay(no: 1) { no } }', headers: bearer });

      expect(await ended).toBe('complete');
      expect(results).toEqual([{ data: { pay: { no: '1' } } }]);
    });

    it('set the cookies that a mutation sets', async () => {
      const answer = await fetch(server.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'mutation { login(name: "x") { id } }' }),
      });

      expect(answer.status).toBe(200);
      expect(answer.headers.getSetCookie()).toEqual([
        expect.stringContaining('access_token=x'),
        expect.stringContaining('refresh_token=x'),
      ]);
      expect(await answer.text()).toBe(
        'event: next\ndata: {"data":{"login":{"id":"1"}}}\n\nevent: complete\ndata:\n\n',
      );
    });

    it('abort the operation when the client leaves', async () => {
      const { leave } = follow({ query: '{ slow }' });
      await expect.poll(() => server.seen.scopes).toHaveLength(1);
      expect(server.seen.scopes[0]?.signal.aborted).toBe(false);

      leave();

      await expect.poll(() => server.seen.scopes[0]?.signal.aborted).toBe(true);
    });

    it('release the shop when the client leaves, though no event comes', async () => {
      const { leave } = follow({ query });
      await untilLive(1);

      leave();

      await expect.poll(() => server.seen.live).toBe(0);
    });

    it.each([
      ['an unknown field', 'subscription { unknown }', 'GRAPHQL_VALIDATION_FAILED'],
      ['31 aliases', `{ me { ${Array.from({ length: 31 }, (_, at) => `a${at}: name`).join(' ')} } }`, 'MAX_ALIASES'],
      ['a shop that is closed', 'subscription { closedShop { no } }', 'SHOP_CLOSED'],
    ])('say what is wrong with %s', async (_what, refused, reason) => {
      const { results, ended } = follow({ query: refused });

      expect(await ended).toBe('complete');
      expect(JSON.stringify(results)).toContain(reason);
    });

    const lastly = (reason: string) => [
      { errors: [expect.objectContaining({ extensions: expect.objectContaining({ reason }) })] },
    ];

    it('end with an error when the token expires', async () => {
      let results: unknown[] = [];
      // On a slow machine it may expire before the stream is open.
      for (let seconds = 0.3; results.length === 0; seconds *= 4) {
        server.expireIn(seconds);
        const following = follow({ query, headers: bearer });
        await following.ended;
        ({ results } = following);
      }

      expect(results).toEqual(lastly('TOKEN_EXPIRED'));
      await untilLive(0);
    });

    it('end with an error when the token is revoked', async () => {
      const { results, ended } = follow({ query, headers: bearer });
      await untilLive(1);
      server.revoke();

      expect(await ended).toBe('complete');
      expect(results).toEqual(lastly('TOKEN_REVOKED'));
      await untilLive(0);
    });

    it('are not opened for a token that is revoked while they are being opened', async () => {
      server.revoke(1);
      const { results, ended } = follow({ query, headers: bearer });

      expect(await ended).toBe('complete');
      expect(JSON.stringify(results)).toContain('UNAUTHENTICATED');
      expect(server.seen.live).toBe(0);
    });

    it('end with an error when the schema changes', async () => {
      const { results, ended } = follow({ query });
      await untilLive(1);

      server.gateway.reload(server.otherSupergraph());

      expect(await ended).toBe('complete');
      expect(JSON.stringify(results)).toContain('SUBSCRIPTION_SCHEMA_RELOAD');
    });

    it('break off when the server closes, so that clients reconnect', async () => {
      const { ended } = follow({ query });
      await untilLive(1);

      await server.stop();

      expect(await ended).toBeInstanceOf(Error);
      await untilLive(0);
    });

    it('bring a slow client the newest events, and use no more memory than its queue', async () => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      const body = JSON.stringify({ query: 'subscription { everyOrder { no } }' });
      const heads = [
        'POST /graphql HTTP/1.1',
        'host: a',
        'content-type: application/json',
        'accept: text/event-stream',
      ];
      socket.write(`${heads.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      await untilLive(1);

      socket.pause();
      const long = 'x'.repeat(400_000);
      const before = await dropped();
      let published = 0;
      while ((await dropped()) < before + 3) {
        server.publish(`${(published += 1)} ${long}`); // until the network is full of what the client does not read
        await new Promise(setImmediate);
      }
      server.publish('the newest');
      let heard = 0;
      const newest = new Promise<void>((resolve) => {
        socket.on('data', (data: Buffer) => {
          heard += data.length;
          if (data.includes('the newest')) resolve();
        });
      });
      socket.resume();

      await newest;
      expect(heard).toBeLessThan((published - 1) * long.length);
      socket.destroy();
    });

    it('are refused to a client whose requests are refused', async () => {
      const stale = await fetch(server.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: 'Bearer stale' },
        body: JSON.stringify({ query }),
      });
      const simple = await fetch(`${server.url}?query=${encodeURIComponent(query)}`, {
        headers: { accept: 'text/event-stream' },
      });
      const foreign = await fetch(server.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream', origin: 'https://evil.example' },
        body: JSON.stringify({ query }),
      });

      expect([stale.status, simple.status, foreign.status]).toEqual([401, 400, 403]);
      expect(await foreign.text()).toContain('FOREIGN_ORIGIN');
    });
  });
});
