import { request as httpRequest } from 'node:http';

import { allMethods } from '@foyer/shared/http/all-methods';
import { answerErrors } from '@foyer/shared/http/error-body';
import { openLog } from '@foyer/shared/telemetry/log';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { assertRoutesAreForwarded, forwardTo, routesMountedOn } from './forwarded-routes.ts';

describe('a request that a gateway forwards', () => {
  let behind: FastifyInstance;
  let gateway: FastifyInstance;
  beforeEach(() => {
    behind = Fastify({ forceCloseConnections: true });
    gateway = Fastify({ forceCloseConnections: true });
    answerErrors(gateway, openLog('silent'));
  });
  afterEach(async () => {
    await gateway.close();
    await behind.close();
  });
  const open = async (...routes: Parameters<typeof forwardTo>[1]) =>
    gateway.register(forwardTo(await behind.listen({ port: 0, host: '127.0.0.1' }), routes));

  it('carries nothing that a client says about where a request comes from, or who calls', async () => {
    behind.get('/pdf/receipt', async ({ headers }) => headers);
    await open(['GET', '/pdf/receipt']);

    const response = await gateway.inject({
      url: '/pdf/receipt',
      headers: {
        host: 'tickets.test',
        accept: 'application/pdf',
        forwarded: 'for=192.0.2.1;host=evil.test',
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-host': 'evil.test',
        'x-forwarded-prefix': '/evil',
        'x-real-ip': '192.0.2.1',
        'foyer-viewer': 'an administrator',
      },
    });

    const seen = response.json<Record<string, string>>();
    expect(seen).toMatchObject({ host: 'tickets.test', accept: 'application/pdf', 'x-forwarded-for': '127.0.0.1' });
    for (const claim of ['forwarded', 'x-forwarded-host', 'x-forwarded-prefix', 'x-real-ip', 'foyer-viewer']) {
      expect(seen).not.toHaveProperty(claim);
    }
  });

  it.each(['?off=100%', '?from=/../elsewhere', '?a=1&a=2', ''])('has the query %o as it came', async (query) => {
    behind.get('/caches/1/proxy/stats', async ({ raw }) => ({ url: raw.url }));
    await open(['GET', '/caches/:id/proxy/*']);

    const response = await gateway.inject(`/caches/1/proxy/stats${query}`);

    expect(response.json()).toEqual({ url: `/caches/1/proxy/stats${query}` });
  });

  it.each(['/\\evil', '/a\\..\\..\\..\\..\\health', '/..', '/%2e%2e/x', '/.%2E?x=1'])(
    'is refused when a URL would not keep its path: %s',
    async (path) => {
      behind.get('/*', async ({ raw }) => ({ url: raw.url }));
      await open(['GET', '/caches/:id/proxy/*']);
      const { port } = new URL(await gateway.listen({ port: 0, host: '127.0.0.1' }));
      const status = await new Promise((resolve, reject) => {
        // Node's own client sends the path as it is.
        const asked = httpRequest({ port, path: `/caches/1/proxy${path}` }, (answer) =>
          resolve(answer.resume().statusCode),
        );
        asked.on('error', reject).end();
      });
      expect(status).toBe(400);
    },
  );

  it.each(['PURGE', 'PROPFIND', 'QUERY', 'DELETE'])('is a %s with its body, where all methods are', async (method) => {
    behind.removeAllContentTypeParsers();
    behind.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    behind.route({
      method: allMethods(behind),
      url: '/caches/1/proxy/x',
      exposeHeadRoute: false,
      handler: async ({ method: came, body }) => ({ came, body }),
    });
    await open(['ALL', '/caches/:id/proxy/*']);
    const url = await gateway.listen({ port: 0, host: '127.0.0.1' });

    const response = await fetch(`${url}/caches/1/proxy/x`, {
      method,
      body: 'any <thing>',
      headers: { 'content-type': 'text/any' },
    });

    expect(await response.json()).toEqual({ came: method, body: 'any <thing>' });
  });

  it('may be the HEAD of a GET, as in one process, but not of an event stream', async () => {
    behind.get('/pdf/receipt', async (_request, reply) => reply.type('application/pdf').send(Buffer.from('a receipt')));
    behind.get('/sessions/stream', { exposeHeadRoute: false }, async () => 'events');
    const upstream = await behind.listen({ port: 0, host: '127.0.0.1' });
    await gateway.register(forwardTo(upstream, [['GET', '/pdf/receipt']]));
    await gateway.register(forwardTo(upstream, [['GET', '/sessions/stream']], { long: true }));

    const head = await gateway.inject({ method: 'HEAD', url: '/pdf/receipt' });

    expect(head.statusCode).toBe(200);
    expect(head.headers).toMatchObject({ 'content-type': 'application/pdf', 'content-length': '9' });
    expect(head.body).toBe('');
    expect((await gateway.inject({ method: 'HEAD', url: '/sessions/stream' })).statusCode).toBe(404);
  });

  it('does not wait for other clients that read slowly', async () => {
    behind.get('/assets/*', (_request, reply) => void reply.hijack().raw.writeHead(200).write('the first bytes'));
    behind.get('/pdf/receipt', async () => 'a receipt');
    await open(['GET', '/assets/*'], ['GET', '/pdf/receipt']);
    const address = await gateway.listen({ port: 0, host: '127.0.0.1' });
    const leaving = new AbortController();

    const films = await Promise.all(
      Array.from({ length: 300 }, async () => fetch(`${address}/assets/film.mp4`, { signal: leaving.signal })),
    );
    const receipt = await fetch(`${address}/pdf/receipt`, { signal: AbortSignal.timeout(3_000) });

    expect(films.every(({ ok }) => ok)).toBe(true);
    expect(await receipt.text()).toBe('a receipt');
    leaving.abort();
  });
});

describe('a subgraph with a route that the gateway does not forward does not start', () => {
  const answer = async () => 'here';
  /** The routes of a server after these were mounted. */
  const mounted = (mount: (app: FastifyInstance) => unknown) => {
    const app = Fastify();
    const routes = routesMountedOn(app);
    mount(app);
    return [...routes];
  };

  it('compares the methods too', () => {
    const routes = mounted((app) => app.post('/pdf/receipt', answer).get('/pdf/receipt', answer));
    expect(() => assertRoutesAreForwarded('ticketing', routes)).toThrow(/does not pass on: POST \/pdf\/receipt$/);
  });

  it('names each of several methods of one route', () => {
    const routes = mounted((app) => app.route({ method: ['GET', 'PUT'], url: '/assets/*', handler: answer }));
    expect(() => assertRoutesAreForwarded('media', routes)).toThrow(/does not pass on: PUT \/assets\/\*$/);
  });

  it('knows the subgraph to which a route is forwarded', () => {
    const streams = mounted((app) => app.get('/sessions/stream', answer));
    const uploads = mounted((app) => app.patch('/files/*', answer));
    expect(() => assertRoutesAreForwarded('identity', streams)).not.toThrow();
    expect(() => assertRoutesAreForwarded('media', uploads)).not.toThrow();
    expect(() => assertRoutesAreForwarded('media', streams)).toThrow('GET /sessions/stream');
    expect(() => assertRoutesAreForwarded('identity', uploads)).toThrow('PATCH /files/*');
  });

  it('allows the HEAD that Fastify adds to a GET, but not an explicit one', () => {
    const added = mounted((app) => app.get('/exports/orders.csv', answer));
    const explicit = mounted((app) => app.head('/exports/orders.csv', answer));
    expect(() => assertRoutesAreForwarded('ticketing', added)).not.toThrow();
    expect(() => assertRoutesAreForwarded('ticketing', explicit)).toThrow('HEAD /exports/orders.csv');
  });

  it('accepts every method when all are forwarded', () => {
    const routes = mounted((app) => app.all('/caches/:id/proxy/*', answer));
    expect(routes.length).toBeGreaterThan(5);
    expect(() => assertRoutesAreForwarded('media', routes)).not.toThrow();
  });
});
