import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  METHODS,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { loopback, openAddressPolicy } from '@foyer/shared/http/address-policy';
import { answerErrors } from '@foyer/shared/http/error-body';
import { openLog } from '@foyer/shared/telemetry/log';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { openNodeConnections } from '../adapters/node-connections.ts';
import { nodeProxy } from './proxy.ts';

const node = { id: 7, host: '127.0.0.1', apiPort: 0 };
const addresses = openAddressPolicy({ networks: loopback, services: [] });
const connections = openNodeConnections({ timeoutMs: 400, addresses });
const limits = { idleMs: 400, totalMs: 1_500 };

/** Sends the body back that it gets. */
const echo = (request: IncomingMessage, response: ServerResponse) => void request.pipe(response);

/** Takes everything, and says nothing. */
const swallow = (request: IncomingMessage) => void request.resume().on('error', () => undefined);

let server: Server;
/** How the node answers the next requests. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
/** The requests that have reached the node. */
let arrived: IncomingMessage[];
let app: FastifyInstance;
let port: number;

beforeAll(async () => {
  server = createServer((request, response) => {
    arrived.push(request);
    response.on('error', () => undefined);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  node.apiPort = (server.address() as AddressInfo).port;
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
      limits,
    }),
  );
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});

beforeEach(() => {
  arrived = [];
  answer = echo;
});

afterAll(async () => {
  await app.close();
  server.close().closeAllConnections();
  await connections.close();
});

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: Buffer;
}

/** With Node's own client: fetch would tidy up the URL and follow redirects. */
async function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const got = await new Promise<IncomingMessage>((resolve, reject) => {
    // By itself, Node's client doesn't frame the body of a DELETE.
    const framed = { ...(body && { 'content-length': body.length }), ...headers };
    httpRequest({ port, path, method, headers: framed }, resolve).on('error', reject).end(body);
  });
  return { status: got.statusCode, headers: got.headers, body: await buffer(got) };
}

const proxied = (path: string, sent?: Sent) => send(`/streamers/7/proxy${path}`, sent);

const refusalOf = ({ status, body }: { status: number | undefined; body: Buffer }) => [
  status,
  (JSON.parse(body.toString()) as { code: string }).code,
];

describe('the way through to a node', () => {
  it.each(METHODS.filter((method) => !/^(CONNECT|GET|HEAD|TRACE)$/.test(method)))(
    'passes a %s with its body on as it is',
    async (method) => {
      const body = Buffer.from('{ not json \xff');
      const got = await proxied('/x', { method, body, headers: { 'content-type': 'application/json' } });

      expect(got.status).toBe(200);
      expect(got.body).toEqual(body);
      expect(arrived[0]).toMatchObject({ method, headers: { 'content-type': 'application/json' } });
    },
  );

  it.each(METHODS.filter((method) => !/^(CONNECT|QUERY)$/.test(method)))(
    'passes a %s without a body on',
    async (method) => {
      expect((await proxied('/x', { method })).status).toBe(200);
      expect(arrived[0]).toMatchObject({ method, url: '/x' });
    },
  );

  it('refuses a QUERY that does not say what its body is', async () => {
    expect(refusalOf(await proxied('/x', { method: 'QUERY' }))).toEqual([400, 'BAD_REQUEST']); // RFC 10008, section 2
  });

  it.each(['/a%2Fb//c;d=1?x=%20+1&flag&x=2', '//', '/%E5%8F%B0?', '/a...b/[c]?q=/../', '/a/./b', '/a\\b'])(
    'passes the path and query %s on without touching them',
    async (path) => {
      await proxied(path);

      expect(arrived[0]).toMatchObject({ method: 'GET', url: path });
    },
  );

  it('is at the root of the node where nothing stands behind it', async () => {
    await proxied('');
    await proxied('?x=1');

    expect(arrived.map(({ url }) => url)).toEqual(['/', '/?x=1']);
  });

  it('passes three megabytes without a content type on', async () => {
    const body = randomBytes(3 * 2 ** 20);
    const got = await proxied('/', { method: 'PUT', body });

    expect(got.body.equals(body)).toBe(true);
  });

  it.each([200, 201, 204, 302, 304, 307, 404, 418, 500, 503])(
    'gives the status %i of the node back',
    async (status) => {
      answer = (_request, response) => void response.writeHead(status).end();

      expect((await proxied('/')).status).toBe(status);
      expect(arrived).toHaveLength(1); // neither tried again nor followed
    },
  );

  it('answers 502 for a status that is none', async () => {
    answer = (_request, response) => void response.socket?.end('HTTP/1.1 666 Evil\r\ncontent-length: 0\r\n\r\n');

    expect(refusalOf(await proxied('/'))).toEqual([502, 'NODE_REFUSED']);
  });

  it('passes ranges, caching and the encoding of a body on, both ways', async () => {
    const told = {
      'content-type': 'video/mp4',
      'content-encoding': 'br',
      'content-length': '2',
      'content-range': 'bytes 0-1/9',
      'accept-ranges': 'bytes',
      'cache-control': 'max-age=4',
      'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
      etag: '"v1"',
    };
    const asked = { range: 'bytes=0-1', 'if-range': '"v1"', 'if-none-match': '"v0"', accept: 'video/*' };
    answer = (_request, response) => void response.writeHead(206, told).end('ab');
    const got = await proxied('/', { headers: asked });

    expect(got.headers).toMatchObject(told);
    expect(arrived[0]?.headers).toMatchObject(asked);
  });

  it('tells a node nothing about who asks, and from where', async () => {
    const headers = {
      authorization: 'Bearer x',
      cookie: 'access_token=x',
      'proxy-authorization': 'Basic eA==',
      'x-internal-token': 'x',
      'x-organization-id': 'o',
      'x-workspace-id': 'w',
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-host': 'foyer.test',
      forwarded: 'for=192.0.2.1',
      origin: 'https://foyer.test',
      referer: 'https://foyer.test/?token=x',
      'x-anything': 'x',
    };
    await proxied('/', { headers });

    expect(Object.keys(arrived[0]?.headers ?? {})).toEqual(['host', 'connection']);
    expect(arrived[0]?.headers.host).toBe(`127.0.0.1:${node.apiPort}`);
  });

  it('leaves a header out that can not be sent on', async () => {
    answer = (_request, response) =>
      void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\netag: "\u53f0"\r\n\r\nok');
    const got = await proxied('/');

    expect([got.status, got.body.toString()]).toEqual([200, 'ok']);
  });

  it('lets no cache answer somebody else with what it was told for one', async () => {
    answer = (_request, response) => void response.writeHead(200, { vary: 'Accept', 'cache-control': 'public' }).end();

    expect((await proxied('/')).headers.vary).toBe('Accept, authorization, cookie');
  });

  it('takes the large uploads of curl, which expects a go-ahead', async () => {
    const headers = { expect: '100-continue' };
    const got = await proxied('/', { method: 'POST', body: Buffer.from('x'), headers });

    expect([got.status, got.body.toString()]).toEqual([200, 'x']);
  });

  it.each(['/a/../b', '/%2e%2e/b', '/..', '/.%2E', '/a\\..\\b', '/%zz', '/%ff'])(
    'refuses the path %s',
    async (path) => {
      expect((await proxied(path)).status).toBe(400);
      expect(arrived).toEqual([]);
    },
  );

  it('serves caches and load balancers alike', async () => {
    await send('/caches/7/proxy/c');
    await send('/load-balancers/7/proxy/l');

    expect(arrived.map(({ url }) => url)).toEqual(['/c', '/l']);
  });

  it('looks up where the node is for every request', async () => {
    const { apiPort } = node;
    node.apiPort = 1;
    expect(refusalOf(await proxied('/'))).toEqual([502, 'NODE_UNREACHABLE']);
    node.apiPort = apiPort;
    expect((await proxied('/')).status).toBe(200);
  });

  it('does not connect to an address that is never a node', async () => {
    node.host = '169.254.169.254';
    const got = await proxied('/latest/meta-data');
    node.host = '127.0.0.1';

    expect(refusalOf(got)).toEqual([502, 'NODE_ADDRESS_FORBIDDEN']);
  });

  it('knows no node but those registered, and nobody without permission', async () => {
    expect((await send('/streamers/8/proxy/x')).status).toBe(404);
    expect((await proxied('/x', { headers: { 'x-nobody': '1' } })).status).toBe(401);
  });
});

describe('a node or a client that is slow', () => {
  it('is a 504 when the node does not answer, a 502 when it breaks off', async () => {
    answer = () => undefined;
    expect(refusalOf(await proxied('/'))).toEqual([504, 'NODE_TIMEOUT']);

    answer = (_request, response) => void response.socket?.resetAndDestroy();
    expect(refusalOf(await proxied('/'))).toEqual([502, 'NODE_BROKE_OFF']);
  });

  it('cuts off an answer that stands still in the middle', async () => {
    answer = (_request, response) => void response.writeHead(200, { 'content-length': '9' }).write('abc');

    await expect(proxied('/')).rejects.toThrow('aborted');
  });

  it('cuts off an answer that goes on, a piece at a time, for ever', async () => {
    answer = (_request, response) => {
      const dripping = setInterval(() => response.write('x'), 20);
      response.once('close', () => clearInterval(dripping));
    };

    await expect(proxied('/')).rejects.toThrow('aborted');
  });

  it('is a 408 when the client stops in the middle of its body', async () => {
    answer = swallow;
    const sending = httpRequest({
      port,
      path: '/streamers/7/proxy/x',
      method: 'PUT',
      headers: { 'content-length': '9' },
    });
    sending.on('error', () => undefined).write('abc');
    const [got] = (await once(sending, 'response')) as [IncomingMessage];

    expect(refusalOf({ status: got.statusCode, body: await buffer(got) })).toEqual([408, 'REQUEST_TIMEOUT']);
    sending.destroy();
  });

  it('ends a body that a client sends a piece at a time, for ever', async () => {
    answer = swallow;
    const sending = httpRequest({ port, path: '/streamers/7/proxy/x', method: 'PUT' }).on('error', () => undefined);
    const dripping = setInterval(() => sending.write('x'), 20);
    const [got] = (await once(sending, 'response')) as [IncomingMessage];
    clearInterval(dripping);

    expect(refusalOf({ status: got.statusCode, body: await buffer(got) })).toEqual([408, 'REQUEST_TIMEOUT']);
    sending.destroy();
  });

  it('asks no node on for a client that has gone', async () => {
    const left = new Promise<void>((resolve) => {
      answer = (_request, response) => void response.once('close', resolve).write('x');
    });
    const asking = httpRequest({ port, path: '/streamers/7/proxy/x' })
      .on('error', () => undefined)
      .end();
    const [got] = (await once(asking, 'response')) as [IncomingMessage];
    got.on('error', () => undefined).destroy();

    await left;
    expect(arrived).toHaveLength(1);
  });
});
