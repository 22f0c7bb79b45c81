import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';

import { assertDoorsAreKnown, passOn, routesMountedOn } from './subgraph-doors.ts';

it('passes nothing on that a stranger says about where a request comes from, or who asks', async () => {
  const behind = Fastify();
  behind.get('/pdf/receipt', async ({ headers }) => headers);
  const gateway = Fastify();
  await gateway.register(passOn(await behind.listen({ port: 0, host: '127.0.0.1' }), [['GET', '/pdf/receipt']]));

  const response = await gateway.inject({
    url: '/pdf/receipt',
    headers: {
      host: 'tickets.test',
      accept: 'application/pdf',
      forwarded: 'for=192.0.2.1;host=evil.test',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-host': 'evil.test',
      'x-real-ip': '192.0.2.1',
      'foyer-viewer': 'an administrator',
    },
  });

  const seen = response.json<Record<string, string>>();
  expect(seen).toMatchObject({ host: 'tickets.test', accept: 'application/pdf', 'x-forwarded-for': '127.0.0.1' });
  for (const claim of ['forwarded', 'x-forwarded-host', 'x-real-ip', 'foyer-viewer']) {
    expect(seen).not.toHaveProperty(claim);
  }
  await gateway.close();
  await behind.close();
});

describe('a subgraph with a route that the gateway does not pass on does not start', () => {
  const answer = async () => 'here';
  /** What a server has on it after these were mounted. */
  const mounted = (mount: (app: FastifyInstance) => unknown) => {
    const app = Fastify();
    const routes = routesMountedOn(app);
    mount(app);
    return [...routes];
  };

  it('compares the methods too', () => {
    const routes = mounted((app) => app.post('/pdf/receipt', answer).get('/pdf/receipt', answer));
    expect(() => assertDoorsAreKnown('ticketing', routes)).toThrow(/does not pass on: POST \/pdf\/receipt$/);
  });

  it('names each of several methods that one route takes', () => {
    const routes = mounted((app) => app.route({ method: ['GET', 'PUT'], url: '/assets/*', handler: answer }));
    expect(() => assertDoorsAreKnown('media', routes)).toThrow(/does not pass on: PUT \/assets\/\*$/);
  });

  it('knows which subgraph a route is passed on to', () => {
    const streams = mounted((app) => app.get('/sessions/stream', answer));
    const uploads = mounted((app) => app.patch('/files/*', answer));
    expect(() => assertDoorsAreKnown('identity', streams)).not.toThrow();
    expect(() => assertDoorsAreKnown('media', uploads)).not.toThrow();
    expect(() => assertDoorsAreKnown('media', streams)).toThrow('GET /sessions/stream');
    expect(() => assertDoorsAreKnown('identity', uploads)).toThrow('PATCH /files/*');
  });

  it('does not mind the HEAD that Fastify adds to a GET, but one that was asked for', () => {
    const added = mounted((app) => app.get('/exports/orders.csv', answer));
    const asked = mounted((app) => app.head('/exports/orders.csv', answer));
    expect(() => assertDoorsAreKnown('ticketing', added)).not.toThrow();
    expect(() => assertDoorsAreKnown('ticketing', asked)).toThrow('HEAD /exports/orders.csv');
  });

  it('takes every method where all are passed on', () => {
    const routes = mounted((app) => app.all('/caches/:id/proxy/*', answer));
    expect(routes.length).toBeGreaterThan(5);
    expect(() => assertDoorsAreKnown('media', routes)).not.toThrow();
  });
});
