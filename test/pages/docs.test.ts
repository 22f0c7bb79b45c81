import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  accessibilityViolations,
  isScrolledSideways,
  screens,
  violationsInBothSchemes,
} from '../support/browsers/browser.ts';
import type { Server } from '../support/servers/server-process.ts';
import { send } from '../support/fixtures/people.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

let server: Server;
let browser: Browser | undefined;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
});
afterAll(() => endVisit({ browser }));

interface Looking {
  screen?: (typeof screens)[keyof typeof screens];
  colorScheme?: 'light' | 'dark';
  javaScriptEnabled?: boolean;
}

/** A page of the server, with the errors of its browser, and the origins from which it has loaded. */
async function open(path: string, { screen = screens.desktop, ...looking }: Looking = {}) {
  if (!browser) throw new Error('there is no browser here');
  const context = await browser.newContext({ ...screen, ...looking, baseURL: server.url });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('pageerror', (error) => void complaints.push(error.message));
  const from: string[] = [];
  page.on('request', (request) => void from.push(new URL(request.url()).origin));
  await page.goto(path);
  return { page, complaints, from };
}

describe('the pages of the REST routes', () => {
  it.skipIf(noBrowser).each(Object.entries(screens))(
    `run examples against the server on a %s: log in, then read /me${skipped}`,
    async (_name, screen) => {
      const { page, complaints, from } = await open('/docs/api', { screen });
      await page.fill('#wanted', 'api/v1/login');
      await page.click('li:visible a');
      const login = page.locator('#post-api-v1-login');
      await login.getByRole('button', { name: 'Send' }).click();
      await login.locator('.answer pre', { hasText: 'password_change_required' }).waitFor();
      expect(await login.locator('.answer').textContent()).toMatch(/^200 OK application\/json/);

      await page.goto('/docs/api/identity');
      const me = page.locator('#get-api-v1-identity-users-me');
      await me.getByRole('button', { name: 'Send' }).click();
      await me.getByText('orgadmin@acme.test').waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);

      expect(complaints).toEqual([]);
      expect(from.filter((origin) => origin !== server.url)).toEqual([]);
    },
  );

  it.skipIf(noBrowser)(`send the token of a customer, and keep it from page to page${skipped}`, async () => {
    const { page } = await open('/docs/api/customers');
    const login = page.locator('#post-auth-login');
    await login.getByRole('button', { name: 'Send' }).click();
    await login.locator('.answer', { hasText: 'custId' }).waitFor();
    const { token } = JSON.parse((await login.locator('.answer pre').textContent()) ?? '') as { token: string };
    await page.fill('#token', token);
    await page.goto('/docs/api/orders');
    const orders = page.locator('#get-api-orderticketgroups');
    await orders.getByRole('button', { name: 'Send' }).click();
    await orders.locator('.answer', { hasText: '200 OK' }).waitFor();
    await page.fill('#token', '');
    await orders.getByRole('button', { name: 'Send' }).click();
    await orders.locator('.answer', { hasText: 'UNAUTHENTICATED' }).waitFor();
    expect(await orders.locator('.answer').textContent()).toMatch(/^401/);
  });

  it('show every operation of the document, and work without a script', async () => {
    const sorted = (names: string[]) => names.toSorted((one, other) => one.localeCompare(other));
    const { json } = await send(server, 'GET', '/openapi.json');
    const overview = (await send(server, 'GET', '/docs/api')).text;
    const sections = [...overview.matchAll(/<h2 id="[\w-]+"><a href="([^"]+)"/g)].map(([, path = '']) => path);
    const shown = (await Promise.all(sections.map((path) => send(server, 'GET', path)))).map(({ text }) => text);
    for (const [path, operations] of Object.entries<object>(json.paths)) {
      expect(overview).toContain(`<code>${path}</code>`);
      const cards = shown
        .flatMap((text) => text.split('<article '))
        .filter((card) => card.includes(`<code>${path}</code></h2>`));
      const methods = cards.flatMap((card) => [...card.matchAll(/class="method (\w+)"/g)].map(([, name = '']) => name));
      const all = Object.keys(operations).map((name) => name.toUpperCase());
      expect({ path, methods: sorted(methods) }).toEqual({ path, methods: sorted(all) });
    }
  });
});

describe('the documents', () => {
  it('have a table of contents and a search, and name the port of the server', async () => {
    const { text } = await send(server, 'GET', '/docs/docs/operations.md');
    const anchors = [...text.matchAll(/<li class="level[23]"><a href="#([^"]+)"/g)].map(([, anchor = '']) => anchor);
    expect(anchors.length).toBeGreaterThan(5);
    expect(anchors.filter((anchor) => !text.includes(` id="${anchor}"`))).toEqual([]);

    const found = (await send(server, 'GET', '/docs/search?q=rotate')).text;
    const [, link = ''] = /<ul class="found">\s*<li><a href="([^"]+)"/.exec(found) ?? [];
    expect((await send(server, 'GET', link)).status).toBe(200);
    expect((await send(server, 'GET', '/docs/search?q=%3Cscript%3E')).text).not.toContain('<script>');

    const readme = (await send(server, 'GET', '/docs/README.md')).text;
    expect(readme).toContain(`href="${server.url}/demo"`);
    expect(readme).not.toContain('localhost:4000');
  });

  it('show diagrams as drawings', async () => {
    const { text } = await send(server, 'GET', '/docs/docs/architecture.md');
    const [, source = ''] = /<img src="([^"]+\.svg)" alt="Diagram: /.exec(text) ?? [];
    const drawn = await send(server, 'GET', source);
    expect(drawn.headers.get('content-type')).toContain('image/svg+xml');
    expect(drawn.text).toContain('PostgreSQL');
    expect(drawn.text).not.toMatch(/<script|@import|https?:\/\/(?!www\.w3\.org)/);
    expect(text).not.toContain('flowchart');
  });
});

describe('every page around the server', () => {
  const pages = [
    '/',
    '/docs/api',
    ...['sessions', 'orders', 'superseded-shapes', 'internal', 'nodes', 'uploads'].map((name) => `/docs/api/${name}`),
    ...['getting-started', 'architecture', 'operations', 'security', 'migration', 'errors', 'adding-a-slice'].map(
      (name) => `/docs/docs/${name}.md`,
    ),
    '/docs/README.md',
    '/docs/docs/glossary.md',
    '/docs/search?q=backup',
    '/graphql',
    '/nowhere',
  ];

  describe.each(Object.entries(screens))('on a %s', (_name, screen) => {
    it.skipIf(noBrowser).each(pages)(`%s: axe finds nothing wrong, in light and dark${skipped}`, async (path) => {
      const { page } = await open(path, { screen });
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.title()).not.toBe('');
      expect(await page.getAttribute('html', 'lang')).toBe('en');
      expect(await violationsInBothSchemes(page)).toEqual([]);
      expect(await isScrolledSideways(page)).toBe(false);
      await page.context().close();
    });
  });

  it.skipIf(noBrowser)(`lets the keyboard skip the header${skipped}`, async () => {
    const { page } = await open('/docs/README.md');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  });

  it.each(['/', '/docs/api', '/docs/README.md', '/nowhere'])('%s runs only scripts of the server', async (path) => {
    const { headers } = await send(server, 'GET', path, { headers: { accept: 'text/html' } });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:/);
  });
});

describe('an unknown path', () => {
  it('is a page for a browser, and JSON for a program; 404 for both', async () => {
    const get = (accept: string) => send(server, 'GET', '/api/nothing', { headers: { accept } });
    const forBrowser = await get('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    expect(forBrowser).toMatchObject({ status: 404, json: undefined });
    expect(forBrowser.text).toContain('There is nothing here');
    for (const accept of ['*/*', 'application/json']) {
      expect(await get(accept)).toMatchObject({ status: 404, json: { success: false, code: 'ROUTE_NOT_FOUND' } });
    }
  });

  it('is escaped in the page', async () => {
    const { text } = await send(server, 'GET', '/<script>alert(1)</script>', { headers: { accept: 'text/html' } });
    expect(text).not.toContain('<script>alert');
  });
});

describe('the start page', () => {
  it.skipIf(noBrowser)(`shows the state of the server, and copies first steps${skipped}`, async () => {
    const { page, complaints } = await open('/');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    expect(await page.locator('#parts + p').textContent()).toContain('Ready for work');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`${server.url}/api/v1/login`);
    expect(complaints).toEqual([]);
  });

  it('has an icon', async () => {
    const { status, headers } = await send(server, 'GET', '/favicon.ico');
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'image/x-icon' });
  });
});
