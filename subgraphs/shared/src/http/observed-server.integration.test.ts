import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { register } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { currentRequestId, logOptions } from '../telemetry/log.ts';
import { observe, observedServer } from './observed-server.ts';

let app: FastifyInstance;
beforeEach(() => register.resetMetrics()); // earlier tests in this process were counted too
afterEach(() => app.close());

/** A server with a route that answers with the id under which its use case would log, and its lines. */
async function open({ trustedProxies = [] as string[] } = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = pino(logOptions('info'), { write: (line: string) => void lines.push(JSON.parse(line)) });
  app = Fastify(observedServer({ log, trustedProxies }));
  observe(app, log);
  app.post('/orders/:id', async () => {
    await new Promise((resolve) => setImmediate(resolve));
    log.warn('deep within');
    return { requestId: currentRequestId() };
  });
  app.get<{ Querystring: { status: string } }>('/health/ready', (request, reply) =>
    reply.code(Number(request.query.status)).send({}),
  );
  app.get('/never', () => new Promise(() => {}));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const post = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/orders/secret-42?token=secret`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: '{"some":"body"}',
    });
    const { requestId } = (await response.json()) as { requestId: string };
    return { requestId, told: response.headers.get('x-request-id') };
  };
  return { lines, post, port };
}

describe('a request', () => {
  it('has one id: in its answer, in each of its log lines, and in use cases', async () => {
    const { lines, post } = await open();
    const [one, other] = await Promise.all([post(), post()]);

    await expect.poll(() => lines.filter(({ msg }) => msg === 'request')).toHaveLength(2);
    expect(one.requestId).not.toBe(other.requestId);
    for (const { requestId, told } of [one, other]) {
      expect(told).toBe(requestId);
      expect(lines.filter((line) => line['requestId'] === requestId).map(({ msg }) => msg)).toEqual([
        'deep within',
        'request',
      ]);
    }
  });

  it('of a supervisor is in the log where it fails only', async () => {
    const { lines, port } = await open();
    for (const status of [200, 503]) await fetch(`http://127.0.0.1:${port}/health/ready?status=${status}`);

    const requests = () => lines.filter(({ msg }) => msg === 'request').map(({ status }) => status);
    await expect.poll(requests).toEqual(['503']);
  });

  it('has it also when its body comes later than its head', async () => {
    const { lines, port } = await open();
    const socket = connect({ port, host: '127.0.0.1' });
    const arrived = once(app.server, 'request');
    socket.write('POST /orders/42 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n');
    socket.write('content-type: application/json\r\ncontent-length: 2\r\n\r\n');
    await arrived;
    await new Promise((resolve) => setImmediate(resolve));

    socket.write('{}');

    const answer = await text(socket);
    const requestId = /x-request-id: (.*)\r/.exec(answer)?.[1];
    expect(answer).toContain(`{"requestId":"${requestId}"}`);
    expect(lines.find(({ msg }) => msg === 'deep within')).toMatchObject({ requestId });
  });

  it('is one line when it is over, without the query string', async () => {
    const { lines, post } = await open();

    await post();

    await expect
      .poll(() => lines.find(({ msg }) => msg === 'request'))
      .toMatchObject({
        method: 'POST',
        path: '/orders/secret-42',
        route: '/orders/:id',
        status: '200',
        ms: expect.any(Number),
      });
  });

  it('is timed by the pattern of its route, never by its path, also when there is no route', async () => {
    const { port, post } = await open();

    await post();
    await fetch(`http://127.0.0.1:${port}/no/such/place`);

    const told = await vi.waitFor(async () => {
      const metrics = await register.metrics();
      expect(metrics).toContain('foyer_http_request_seconds_count{method="GET",route="unmatched",status="404"} 1');
      return metrics;
    });
    expect(told).toMatch(/foyer_http_request_seconds_count\{method="POST",route="\/orders\/:id",status="200"\} \d/);
    expect(told).not.toContain('secret');
    expect(told).not.toContain('such');
  });

  it('that its client gives up is counted as aborted', async () => {
    const { port } = await open();
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    const arrived = once(app.server, 'request');
    socket.write('GET /never HTTP/1.1\r\nhost: a\r\n\r\n');
    await arrived;

    socket.destroy();

    await expect
      .poll(() => register.metrics())
      .toContain('foyer_http_request_seconds_count{method="GET",route="/never",status="aborted"} 1');
  });
});

describe('an X-Request-Id that comes with a request', () => {
  const given = { 'x-request-id': 'proxy-00000042' };

  it('is not accepted from a client', async () => {
    const { post } = await open();
    expect((await post(given)).requestId).not.toBe('proxy-00000042');
  });

  it('is accepted from a trusted proxy', async () => {
    const { post } = await open({ trustedProxies: ['loopback'] });
    expect(await post(given)).toEqual({ requestId: 'proxy-00000042', told: 'proxy-00000042' });
  });

  it('is not accepted from another proxy', async () => {
    const { post } = await open({ trustedProxies: ['10.0.0.0/8'] });
    expect((await post(given)).requestId).not.toBe('proxy-00000042');
  });

  it.each(['short', 'x'.repeat(65), 'two words here', '{"level":50}'])('is not taken when it is %s', async (bad) => {
    const { post } = await open({ trustedProxies: ['loopback'] });
    expect((await post({ 'x-request-id': bad })).requestId).toMatch(/^[0-9a-f-]{36}$/);
  });
});
