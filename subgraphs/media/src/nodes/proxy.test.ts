import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { answerErrors } from '@foyer/shared/http';
import { openLog } from '@foyer/shared/log';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openNodeConnections } from '../adapters/node-connections.ts';
import { startStreamer } from '../doubles/streamer.ts';
import { nodeProxy } from './proxy.ts';

const node = { id: 7, host: '127.0.0.1', apiPort: 0 };
const connections = openNodeConnections({ timeoutMs: 400, allowLoopback: true });
let folder: string;
let streamer: Awaited<ReturnType<typeof startStreamer>>;
let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-proxy-'));
  streamer = await startStreamer({ folder, ffmpegPath: 'false' }); // plays nothing here
  node.apiPort = streamer.apiPort;
  app = Fastify();
  answerErrors(app, openLog('silent'));
  const table = {
    findUnique: async ({ where }: { where: { id: number } }) => (where.id === node.id ? { ...node } : null),
  };
  await app.register(
    nodeProxy({
      db: { streamer: table, cacheNode: table, loadBalancerNode: table } as never,
      permissions: {} as never,
      viewerOf: async ({ headers }, opening) =>
        headers['x-nobody'] ? null : { kind: 'legacy-client', permissions: opening },
      connections,
    }),
  );
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});

afterAll(async () => {
  await app.close();
  await streamer.stop();
  await connections.close();
  await rm(folder, { recursive: true });
});

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** With Node's own client: fetch would tidy up the URL and follow redirects. */
async function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    // By itself, Node's client doesn't frame the body of a DELETE.
    const framed = { ...(body && { 'content-length': body.length }), ...headers };
    httpRequest({ port, path, method, headers: framed }, resolve).on('error', reject).end(body);
  });
  const echoed = Buffer.from(String(answer.headers['x-echo'] ?? ''), 'base64url').toString() || '{}';
  const arrived = JSON.parse(echoed) as { method: string; url: string; headers: string[] };
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer), arrived };
}

const proxied = (path: string, sent?: Sent) => send(`/streamers/7/proxy${path}`, sent);

describe('the way through to a node', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('passes a %s with its body on as it is', async (method) => {
    const body = Buffer.from('{ not json \xff');
    const answer = await proxied('/echo/x', { method, body, headers: { 'content-type': 'application/json' } });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(body);
    expect(answer.arrived.method).toBe(method);
  });

  it.each(['/echo/a%2Fb//c;d=1?x=%20+1&flag&x=2', '/echo//', '/echo/%E5%8F%B0?', '/echo/a...b/[c]?q=/../'])(
    'passes the path and query %s on without touching them',
    async (path) => {
      const answer = await proxied(path);

      expect(answer.arrived).toMatchObject({ method: 'GET', url: path });
    },
  );

  it('passes three megabytes without a content type on', async () => {
    const body = randomBytes(3 * 2 ** 20);
    const answer = await proxied('/echo', { method: 'PUT', body });

    expect(answer.body.equals(body)).toBe(true);
  });

  it.each([201, 204, 302, 304, 404, 418, 500, 503])('gives the status %i of the node back', async (status) => {
    const wanted = {
      status,
      headers: [
        ['location', '/elsewhere'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ],
    };
    const answer = await proxied('/echo', { headers: { 'x-echo-answer': JSON.stringify(wanted) } });

    expect(answer.status).toBe(status);
    expect(answer.headers['location']).toBe('/elsewhere');
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  });

  it('asks a node that answers 503 once, not again and again', async () => {
    streamer.failNext(503);
    expect((await proxied('/api/ping')).status).toBe(503);
    expect((await proxied('/api/ping')).status).toBe(200);
  });

  it('keeps what identifies our user from the node', async () => {
    const headers = { authorization: 'Bearer x', cookie: 'access_token=x', 'x-organization-id': 'o', 'x-mine': 'kept' };
    const { arrived } = await proxied('/echo', { headers });

    const names = arrived.headers.filter((_, index) => index % 2 === 0);
    expect(names).not.toContain('authorization');
    expect(names).not.toContain('cookie');
    expect(names).not.toContain('x-organization-id');
    expect(names).toContain('x-mine');
  });

  it('takes the large uploads of curl, which expects a go-ahead', async () => {
    const answer = await proxied('/echo', {
      method: 'POST',
      body: Buffer.from('x'),
      headers: { expect: '100-continue' },
    });

    expect([answer.status, answer.body.toString()]).toEqual([200, 'x']);
  });

  it.each(['/a/../b', '/%2e%2e/b', '/%zz', '/%ff'])('refuses the path %s', async (path) => {
    expect((await proxied(`/echo${path}`)).status).toBe(400);
  });

  it('serves caches and load balancers alike', async () => {
    expect((await send('/caches/7/proxy/echo/c')).arrived.url).toBe('/echo/c');
    expect((await send('/load-balancers/7/proxy/echo/l')).arrived.url).toBe('/echo/l');
  });

  it('looks up where the node is for every request', async () => {
    node.apiPort = streamer.httpPort;
    expect((await proxied('/api/ping')).status).toBe(404); // the port that plays has no such route
    node.apiPort = streamer.apiPort;
    expect((await proxied('/api/ping')).status).toBe(200);
  });

  it('says 504 when the node does not answer, 502 when it can not be reached', async () => {
    streamer.failNext('hang');
    const slow = await proxied('/api/ping');
    expect([slow.status, JSON.parse(slow.body.toString())]).toMatchObject([
      504,
      { success: false, code: 'NODE_TIMEOUT' },
    ]);

    streamer.failNext('reset');
    const broken = await proxied('/api/ping');
    expect([broken.status, JSON.parse(broken.body.toString())]).toMatchObject([502, { code: 'NODE_BROKE_OFF' }]);
  });

  it('does not connect to an address that is never a node', async () => {
    node.host = '169.254.169.254';
    const answer = await proxied('/latest/meta-data');
    node.host = '127.0.0.1';

    expect([answer.status, JSON.parse(answer.body.toString())]).toMatchObject([
      502,
      { code: 'NODE_ADDRESS_FORBIDDEN' },
    ]);
  });

  it('knows no node but those registered, and nobody without permission', async () => {
    expect((await send('/streamers/8/proxy/x')).status).toBe(404);
    expect((await proxied('/x', { headers: { 'x-nobody': '1' } })).status).toBe(401);
  });
});
