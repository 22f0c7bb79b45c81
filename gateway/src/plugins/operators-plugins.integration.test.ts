import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { parse } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';

import type { GatewayContext } from '../request/context.ts';
import { serverLimits } from '@foyer/shared/http/server-limits';
import { startExampleServer, type ExampleServer } from '../testing/example-server.ts';
import { executorNames } from '../testing/executors.ts';
import { aClient, watch } from '../testing/ws-clients.ts';

describe.each(executorNames)("operators' plugins, by the executor of %s", (executor) => {
  let server: ExampleServer;
  afterEach(() => server.stop());

  type Listener = GraphQLRequestListener<GatewayContext>;

  async function start(listener: Listener) {
    const plugin: ApolloServerPlugin<GatewayContext> = { requestDidStart: async () => listener };
    server = await startExampleServer({ GATEWAY_EXECUTOR: executor }, serverLimits, [plugin]);
  }

  describe('a plugin of the operator', () => {
    const respond: NonNullable<Listener['responseForOperation']> = async ({ response: { http } }) => ({
      http,
      body: { kind: 'single', singleResult: { data: { user: { name: 'from a cache' } } } },
    });

    it('may respond in place of the executor', async () => {
      await start({ responseForOperation: respond });

      const { status, body } = await server.post('{ user(id: 1) { name } }');

      expect([status, body]).toEqual([200, { data: { user: { name: 'from a cache' } } }]);
    });

    it('may do so over WebSocket, too', async () => {
      await start({ responseForOperation: respond });

      const { results, ended } = watch(aClient(server.wsUrl), '{ user(id: 1) { name } }');
      await ended;

      expect(results).toEqual([{ data: { user: { name: 'from a cache' } } }]);
    });

    it('that throws where it may not is masked, and logged with its stack under the id of the request', async () => {
      await start({
        async didResolveSource() {
          throw new Error('the cache at 10.0.0.7 is gone');
        },
      });

      const { status, body } = await server.post('{ user(id: 1) { name } }');

      expect(status).toBe(500);
      expect(JSON.stringify(body)).not.toContain('10.0.0.7');
      const requestId = body.errors?.[0]?.extensions['requestId'];
      expect(server.seen.log).toContainEqual(
        expect.objectContaining({
          requestId,
          err: expect.objectContaining({ message: 'the cache at 10.0.0.7 is gone', stack: expect.any(String) }),
        }),
      );
    });

    it('finds the headers of a request, such as the name of the client, however it comes', async () => {
      const seen: (string | undefined)[] = [];
      await start({
        didResolveOperation: async ({ request: { http } }) =>
          void seen.push(http?.headers.get('apollographql-client-name')),
      });
      const named = (name: string) => ({ 'apollographql-client-name': name });
      const query = '{ user(id: 1) { name } }';

      await server.post(query, { headers: named('json') });
      for (const accept of ['text/event-stream', 'multipart/mixed;subscriptionSpec=1.0']) {
        const headers = { 'content-type': 'application/json', accept, ...named(accept) };
        await (await fetch(server.url, { method: 'POST', headers, body: JSON.stringify({ query }) })).text();
      }
      await watch(aClient(server.wsUrl, { headers: named('upgrade') }), query).ended;
      await watch(aClient(server.wsUrl, { connectionParams: named('connection_init') }), query).ended;
      await server.gateway.execute(
        { document: parse(query) },
        {
          requestId: 'rest',
          viewer: null,
          headers: named('rest'),
          client: { address: '', userAgent: '' },
          signal: new AbortController().signal,
          reply: { cookies: [] },
        },
      );

      expect(seen).toEqual([
        'json',
        'text/event-stream',
        'multipart/mixed;subscriptionSpec=1.0',
        'upgrade',
        'connection_init',
        'rest',
      ]);
    });

    it('may set the status and headers of a response', async () => {
      await start({
        async willSendResponse({ response: { http } }) {
          http.status = 202;
          http.headers.set('cache-control', 'max-age=5');
        },
      });

      const { status, headers } = await server.post('{ user(id: 1) { name } }');

      expect([status, headers.get('cache-control')]).toEqual([202, 'max-age=5']);
    });

    it.each(['text/event-stream', 'multipart/mixed;subscriptionSpec=1.0'])('may set headers of %s', async (accept) => {
      await start({
        async willSendResponse({ response: { http } }) {
          http.headers.set('x-cost', '7');
          http.headers.set('content-type', 'text/plain');
        },
      });

      for (const query of ['{ user(id: 1) { name } }', 'subscription { everyOrder { no } }']) {
        const leaving = new AbortController();
        const { headers } = await fetch(server.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept },
          body: JSON.stringify({ query }),
          signal: leaving.signal,
        });
        leaving.abort();
        expect(headers.get('x-cost')).toBe('7');
        expect(headers.get('content-type')).toContain(accept.split(';', 1)[0]);
      }
    });

    it('may set the status before the execution', async () => {
      await start({
        async didResolveOperation({ response: { http } }) {
          http.status = 202;
        },
      });

      expect((await server.post('{ user(id: 1) { name } }')).status).toBe(202);
    });

    it('that throws is a fault of ours, and its message stays here', async () => {
      await start({
        async didResolveOperation() {
          throw new Error('secret');
        },
      });

      const { status, body } = await server.post('{ user(id: 1) { name } }');

      expect([status, body.errors?.[0]?.extensions['code']]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
      expect(JSON.stringify(body)).not.toContain('secret');
    });

    it('that throws after a subscription has begun leaves no stream open', async () => {
      await start({
        async willSendResponse() {
          throw new Error('too late');
        },
      });

      const accept = 'text/event-stream';
      const response = await fetch(server.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify({ query: 'subscription { everyOrder { no } }' }),
      });

      expect(response.status).toBe(500);
      await response.text();
      await expect.poll(() => [server.seen.opened.length, server.seen.live]).toEqual([1, 0]);
    });

    it('that throws after a subscription over WebSocket has begun leaves no stream open', async () => {
      await start({
        async willSendResponse() {
          throw new Error('too late');
        },
      });

      await watch(aClient(server.wsUrl), 'subscription { everyOrder { no } }').ended;

      await expect.poll(() => [server.seen.opened.length, server.seen.live]).toEqual([1, 0]);
    });

    it('that takes so long that the supergraph is replaced meanwhile ends a subscription of the old one', async () => {
      await start({ didResolveOperation: async () => server.gateway.reload(server.otherSupergraph()) });

      const { results } = watch(aClient(server.wsUrl), 'subscription { everyOrder { no } }');

      await expect
        .poll(() => results)
        .toMatchObject([{ errors: [{ extensions: { code: 'SUBSCRIPTION_SCHEMA_RELOAD' } }] }]);
      await expect.poll(() => server.seen.live).toBe(0);
    });
  });
});
