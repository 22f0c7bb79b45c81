import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Server } from '../support/servers/server-process.ts';
import { DEMO_PASSWORD } from '../support/fixtures/people.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

let server: Server;
let browser: Browser | undefined;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
});
afterAll(() => endVisit({ browser }));

interface Options {
  initialEndpoint: string;
  initialSubscriptionEndpoint: string;
  initialState: { includeCookies: boolean; document: string };
}

/** Replaces Apollo's script, which is loaded from another server: it records its options, and shows its frame. */
const standIn = `window.EmbeddedSandbox = class {
  constructor(options) {
    window.given = options;
    const frame = document.createElement('iframe');
    frame.src = 'https://sandbox.embed.apollographql.com/sandbox/explorer';
    document.querySelector(options.target).append(frame);
  }
}`;

/** /graphql in the browser of a logged-in user; `sandbox` is whether Apollo's script can be loaded. */
async function openSandbox(sandbox: boolean) {
  if (!browser) throw new Error('there is no browser here');
  const context = await browser.newContext({ baseURL: server.url });
  await context.request.post('/api/v1/login', {
    data: { username: 'orgadmin@acme.test', password: DEMO_PASSWORD, company_code: 'ACME' },
  });
  await context.route(/^https:/, (route) => {
    const { hostname } = new URL(route.request().url());
    if (!sandbox) return route.abort();
    return hostname.startsWith('embeddable-sandbox')
      ? route.fulfill({ contentType: 'text/javascript', body: standIn })
      : route.fulfill({ contentType: 'text/html', body: 'the Sandbox' });
  });
  const page = await context.newPage();
  await page.goto('/graphql');
  return page;
}

describe('the page of /graphql', () => {
  it.skipIf(noBrowser)(`gives Sandbox its addresses, the cookie and our examples${skipped}`, async () => {
    const page = await openSandbox(true);

    const given = await page.evaluate<Options>('window.given');

    expect(given).toMatchObject({
      initialEndpoint: `${server.url}/graphql`,
      initialSubscriptionEndpoint: `${server.url.replace('http', 'ws')}/graphql`,
      initialState: { includeCookies: true },
    });
    for (const name of ['WhoAmI', 'Storefront', 'WatchOrder']) expect(given.initialState.document).toContain(name);
    expect(await page.frameLocator('#sandbox iframe').locator('body').textContent()).toBe('the Sandbox');
    await page.close();
  });

  it.skipIf(noBrowser)(`lets Sandbox call with the cookie, over HTTP and WebSocket${skipped}`, async () => {
    const page = await openSandbox(true);
    const query = '{ me { user { email } } }';

    const overHttp = await page.evaluate(
      `fetch('/graphql', { method: 'POST', credentials: 'include', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: ${JSON.stringify(query)} }) }).then((response) => response.text())`,
    );
    const overWebSocket = await page.evaluate(`new Promise((resolve, reject) => {
      const socket = new WebSocket(window.given.initialSubscriptionEndpoint, 'graphql-transport-ws');
      socket.onerror = reject;
      socket.onopen = () => socket.send(JSON.stringify({ type: 'connection_init' }));
      socket.onmessage = ({ data }) => {
        if (JSON.parse(data).type === 'next') return resolve(data);
        const payload = { query: ${JSON.stringify(query)} };
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }));
      };
    })`);

    for (const answer of [overHttp, overWebSocket]) expect(answer).toContain('orgadmin@acme.test');
    await page.close();
  });

  it.skipIf(noBrowser)(`lets Sandbox call no other server${skipped}`, async () => {
    const page = await openSandbox(true);

    const refused = await page.evaluate(
      `fetch('https://evil.example/', { mode: 'no-cors' }).then(() => 'let out', () => 'kept in')`,
    );

    expect(refused).toBe('kept in');
    await page.close();
  });

  it.skipIf(noBrowser)(`shows how to do without it, and the examples, where it can't be loaded${skipped}`, async () => {
    const page = await openSandbox(false);

    const text = await page.locator('main').innerText();

    expect(text).toContain(`${server.url}/graphql`);
    expect(text).toContain('subscription WatchOrder');
    await page.close();
  });

  it.skipIf(noBrowser)(`offers a form, where it can't be loaded${skipped}`, async () => {
    const page = await openSandbox(false);

    await page.fill('[name=query]', '{ me { user { email } } }');
    await page.click('form button');
    await page.locator('#answer', { hasText: 'orgadmin@acme.test' }).waitFor();
    await page.fill('[name=query]', '{ nothing }');
    await page.click('form button');
    await page.locator('#answer', { hasText: 'Cannot query field' }).waitFor();

    expect(await page.locator('#answer').textContent()).toContain('GRAPHQL_VALIDATION_FAILED');
    await page.close();
  });
});
