import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

import { freePort } from '@foyer/prisma/free-port';
import { routes } from '@foyer/rest-compat/routes';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { openBrowser } from '../support/browsers/browser.ts';
import { closeServer, startServer, type HostedServer } from '../support/servers/hosted-server.ts';
import type { Json } from '../support/json.ts';
import { graphql, send, logIn } from '../support/fixtures/people.ts';

let server: HostedServer;
let port: number;
let content: string;
let owner: Record<string, string>;
let poster: { assetUrl: string; shareUrl: string };
let node: Server;
let heard: IncomingMessage['headers'][];
/** `/streamers/ID/proxy` */
let proxy: string;

beforeAll(async () => {
  port = await freePort();
  content = `http://content.localhost:${port}`;
  server = await startServer({
    PORT: String(port),
    CONTENT_ORIGIN: content,
    REST_AUTH: 'strict',
    LOGIN_FLOOR_MS: '50',
  });
  owner = (await logIn(server, 'admin@foyer.test', 'PLATFORM')).headers;
  const { data } = await graphql(server, '{ advertisingTickets { image { assetUrl shareUrl } } }');
  poster = data.advertisingTickets.find((ticket: Json) => ticket.image).image;

  heard = [];
  node = createServer((request, response) => {
    heard.push(request.headers);
    response.setHeader('set-cookie', 'of=the-node').end('from the node');
  }).listen(0, '127.0.0.1');
  await once(node, 'listening');
  const { port: apiPort } = node.address() as AddressInfo;
  const body = { name: 'N', host: '127.0.0.1', httpPort: apiPort, apiPort };
  proxy = `/streamers/${(await send(server, 'POST', '/streamers', { body, headers: owner })).json.data.id}/proxy`;
});
afterAll(async () => {
  node.close().closeAllConnections();
  await closeServer(server);
});

/** By Node's client: fetch can't set `Host`, and not every machine resolves content.localhost. */
async function ask(
  host: string,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
) {
  const asking = httpRequest({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }).end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
}

const there = (path: string, options = {}) => ask(`content.localhost:${port}`, path, options);
const here = (path: string, options = {}) => ask(`localhost:${port}`, path, options);

describe('content on an origin of its own', () => {
  it('is in the links of files, which work', async () => {
    for (const link of [poster.assetUrl, poster.shareUrl]) {
      expect(new URL(link).origin).toBe(content);
      const { status, headers } = await there(new URL(link).pathname);
      expect([status, headers['content-type']]).toEqual([200, 'image/png']);
    }
    const { json } = { json: JSON.parse(String((await there(`${new URL(poster.assetUrl).pathname}/presign`)).body)) };
    expect(new URL(json.data.url).origin).toBe(content);
  });

  it('is not served on the origin of sessions: a request there is redirected', async () => {
    const path = `${new URL(poster.assetUrl).pathname}?x=%20`;
    for (const [at, options] of [
      [path, {}],
      [`${proxy}/a%2Fb?x=1`, { headers: owner }],
      [`${proxy}/a`, { headers: owner, method: 'POST' }],
      [proxy.replace('streamers', 'caches'), {}],
      [proxy.replace('streamers', 'load-balancers'), {}],
    ] as const) {
      const { status, headers, body } = await here(at, options);
      expect([status, headers.location, body.length]).toEqual([308, `${content}${at}`, 0]);
    }
    expect(heard).toEqual([]);
  });

  it('accepts a token, and neither accepts nor sets a cookie', async () => {
    const cookie = `access_token=${String(owner['authorization']).replace('Bearer ', '')}`;
    expect((await there(`${proxy}/x`, { headers: { cookie } })).status).toBe(401);
    const { status, headers, body } = await there(`${proxy}/x`, { headers: { ...owner, cookie } });

    expect([status, String(body), headers['set-cookie']]).toEqual([200, 'from the node', undefined]);
    expect(heard.map(({ cookie: got }) => got)).toEqual([undefined]);
  });

  it('serves nothing else on its host: no page, no route, no GraphQL', async () => {
    const ours = routes.flatMap(({ method, url }) =>
      [method].flat().map((each) => ({ method: String(each), path: url.replaceAll(/:\w+|\*/g, '1') })),
    );
    expect(ours.length).toBeGreaterThan(100);
    // It takes forms alone, and says so before it looks at the caller.
    expect((await there('/payment/process', { method: 'POST', headers: owner })).status).toBe(415);
    const pages = [
      '/',
      '/login',
      '/docs',
      '/demo',
      '/openapi.json',
      '/health/ready',
      '/metrics',
      '/graphql',
      '/sim/inbox/',
      '/nowhere',
    ];
    const requests = [...ours, ...pages.map((page) => ({ method: 'GET', path: page }))];
    for (const { method, path } of requests.filter((each) => each.path !== '/payment/process')) {
      const { status, headers } = await there(path, { method, headers: { ...owner, accept: 'text/html' } });
      const isJson = headers['content-type']?.includes('application/json');
      expect({ method, path, status, isJson }).toEqual({ method, path, status: 404, isJson: true });
    }
  });

  it('opens no WebSocket', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', {
      headers: { host: `content.localhost:${port}` },
    });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toContain('404');
  });

  it('is shown in a page of ours, without its session', async () => {
    const browser: Browser = await openBrowser();
    try {
      const page = await (await browser.newContext({ baseURL: server.url })).newPage();
      await page.goto('/login');
      await page.evaluate(`document.cookie = 'of=ours; path=/'`);
      await page.goto(poster.assetUrl);
      expect(await page.evaluate('document.images[0].naturalWidth')).toBeGreaterThan(0);
      expect(await page.context().cookies(content)).toEqual([]);
      expect((await page.context().cookies(server.url)).map(({ name }) => name)).toContain('of');
    } finally {
      await browser.close();
    }
  });
});
