import { randomBytes } from 'node:crypto';
import { METHODS } from 'node:http';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { refusalOf, startProxy, type ProxyFixture } from '../testing/proxy-fixture.ts';

let fixture: ProxyFixture;
beforeAll(async () => {
  fixture = await startProxy();
});
beforeEach(() => fixture.reset());
afterAll(() => fixture.stop());

describe('the proxy to a node', () => {
  it.each(METHODS.filter((method) => !/^(CONNECT|GET|HEAD|TRACE)$/.test(method)))(
    'passes a %s with its body on as it is',
    async (method) => {
      const body = Buffer.from('{ not json \xff');
      const got = await fixture.proxied('/x', { method, body, headers: { 'content-type': 'application/json' } });

      expect(got.status).toBe(200);
      expect(got.body).toEqual(body);
      expect(fixture.arrived()[0]).toMatchObject({ method, headers: { 'content-type': 'application/json' } });
    },
  );

  it.each(METHODS.filter((method) => !/^(CONNECT|QUERY)$/.test(method)))(
    'passes a %s without a body on',
    async (method) => {
      expect((await fixture.proxied('/x', { method })).status).toBe(200);
      expect(fixture.arrived()[0]).toMatchObject({ method, url: '/x' });
    },
  );

  it('refuses a QUERY without a content type', async () => {
    expect(refusalOf(await fixture.proxied('/x', { method: 'QUERY' }))).toEqual([400, 'BAD_REQUEST']); // RFC 10008, section 2
  });

  it.each(['/a%2Fb//c;d=1?x=%20+1&flag&x=2', '//', '/%E5%8F%B0?', '/a...b/[c]?q=/../', '/a/./b', '/a\\b'])(
    'passes the path and query %s on without touching them',
    async (path) => {
      await fixture.proxied(path);

      expect(fixture.arrived()[0]).toMatchObject({ method: 'GET', url: path });
    },
  );

  it('leads to the root of the node when the path is empty', async () => {
    await fixture.proxied('');
    await fixture.proxied('?x=1');

    expect(fixture.arrived().map(({ url }) => url)).toEqual(['/', '/?x=1']);
  });

  it('passes three megabytes without a content type on', async () => {
    const body = randomBytes(3 * 2 ** 20);
    const got = await fixture.proxied('/', { method: 'PUT', body });

    expect(got.body.equals(body)).toBe(true);
  });

  it.each([200, 201, 204, 302, 304, 307, 404, 418, 500, 503])(
    'gives the status %i of the node back',
    async (status) => {
      fixture.answerWith((_request, response) => void response.writeHead(status).end());

      expect((await fixture.proxied('/')).status).toBe(status);
      expect(fixture.arrived()).toHaveLength(1); // neither tried again nor followed
    },
  );

  it('answers 502 for an invalid status', async () => {
    fixture.answerWith(
      (_request, response) => void response.socket?.end('HTTP/1.1 666 Evil\r\ncontent-length: 0\r\n\r\n'),
    );

    expect(refusalOf(await fixture.proxied('/'))).toEqual([502, 'NODE_REFUSED']);
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
    const headers = { range: 'bytes=0-1', 'if-range': '"v1"', 'if-none-match': '"v0"', accept: 'video/*' };
    fixture.answerWith((_request, response) => void response.writeHead(206, told).end('ab'));
    const got = await fixture.proxied('/', { headers });

    expect(got.headers).toMatchObject(told);
    expect(fixture.arrived()[0]?.headers).toMatchObject(headers);
  });

  it('tells a node nothing about the client', async () => {
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
    await fixture.proxied('/', { headers });

    expect(Object.keys(fixture.arrived()[0]?.headers ?? {})).toEqual(['host', 'connection']);
    expect(fixture.arrived()[0]?.headers.host).toBe(`127.0.0.1:${fixture.node.apiPort}`);
  });

  it('drops a header that can not be sent on', async () => {
    fixture.answerWith(
      (_request, response) =>
        void response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\netag: "\u53f0"\r\n\r\nok'),
    );
    const got = await fixture.proxied('/');

    expect([got.status, got.body.toString()]).toEqual([200, 'ok']);
  });

  it('prevents caches from serving a response to another viewer', async () => {
    fixture.answerWith(
      (_request, response) => void response.writeHead(200, { vary: 'Accept', 'cache-control': 'public' }).end(),
    );

    expect((await fixture.proxied('/')).headers.vary).toBe('Accept, authorization, cookie');
  });

  it('accepts large uploads of curl, which expects 100 Continue', async () => {
    const headers = { expect: '100-continue' };
    const got = await fixture.proxied('/', { method: 'POST', body: Buffer.from('x'), headers });

    expect([got.status, got.body.toString()]).toEqual([200, 'x']);
  });

  it.each(['/a/../b', '/%2e%2e/b', '/..', '/.%2E', '/a\\..\\b', '/%zz', '/%ff'])(
    'refuses the path %s',
    async (path) => {
      expect((await fixture.proxied(path)).status).toBe(400);
      expect(fixture.arrived()).toEqual([]);
    },
  );

  it('serves caches and load balancers alike', async () => {
    await fixture.send('/caches/7/proxy/c');
    await fixture.send('/load-balancers/7/proxy/l');

    expect(fixture.arrived().map(({ url }) => url)).toEqual(['/c', '/l']);
  });

  it('looks up the address of the node for every request', async () => {
    const { node } = fixture;
    const { apiPort } = node;
    node.apiPort = 1;
    expect(refusalOf(await fixture.proxied('/'))).toEqual([502, 'NODE_UNREACHABLE']);
    node.apiPort = apiPort;
    expect((await fixture.proxied('/')).status).toBe(200);
  });

  it('does not connect to a forbidden address', async () => {
    const { node } = fixture;
    node.host = '169.254.169.254';
    const got = await fixture.proxied('/latest/meta-data');
    node.host = '127.0.0.1';

    expect(refusalOf(got)).toEqual([502, 'NODE_ADDRESS_FORBIDDEN']);
  });

  it('refuses unregistered nodes and viewers without permission', async () => {
    expect((await fixture.send('/streamers/8/proxy/x')).status).toBe(404);
    expect((await fixture.proxied('/x', { headers: { 'x-nobody': '1' } })).status).toBe(401);
  });
});
