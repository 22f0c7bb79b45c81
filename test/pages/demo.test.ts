import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fill, openBrowser, screens } from '../support/browsers/browser.ts';
import { logInToStudio, openDemo, wrongInAll } from '../support/browsers/demo.ts';
import { closeServer, startServer, type HostedServer } from '../support/servers/hosted-server.ts';
import { startTcpProxy } from '../support/servers/tcp-proxy.ts';
import { DEMO_PASSWORD, graphql, logIn, send } from '../support/fixtures/people.ts';
import { until } from '../support/until.ts';
import { testVideo } from '../support/fixtures/video.ts';
import { noBrowser, skipped } from '../support/visit.ts';

let server: HostedServer;
let browser: Browser | undefined;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-demo-'));
  server = await startServer({ LOGIN_FLOOR_MS: '50', PROCESSING_BEAT_MS: '200' });
  browser = noBrowser ? undefined : await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await closeServer(server);
  await rm(folder, { recursive: true, force: true });
});

const open = (place: string, options?: BrowserContextOptions) => openDemo(browser, server, place, options);

/** Records the labels of progress bars, because a small video is done in half a second. */
const watchProgress = `window.progressSeen = new Set(), new MutationObserver(() => {
  for (const bar of document.querySelectorAll('progress')) progressSeen.add(bar.ariaLabel);
}).observe(document.body, { childList: true, subtree: true }), undefined`;

describe('the studio', () => {
  it.skipIf(noBrowser).each([
    ['phone', 4],
    ['desktop', 5],
  ] as const)(
    `uploads a video on a %s, shows the progress of sending and processing, and plays it${skipped}`,
    async (screen, seconds) => {
      const page = await open('studio', screens[screen]);
      await logInToStudio(page);
      await page.evaluate(watchProgress);
      await page.setInputFiles('[name=file]', await testVideo(folder, { seconds, size: '128x72' }));

      await page.getByRole('button', { name: `Play: test-picture-${seconds}.mp4` }).click({ timeout: 120_000 });
      const progress = await page.evaluate<string[]>('[...progressSeen]');
      expect(progress).toContainEqual(expect.stringMatching(/^Uploading: /));
      expect(progress).toContainEqual(expect.stringMatching(/^Processing: /));
      await until('the picture moves', () =>
        page.evaluate<boolean>('document.querySelector("video")?.currentTime > 0.5'),
      );
      expect(await page.evaluate('document.querySelector("video").src')).toMatch(/^blob:/); // hls.js, not the browser
      expect(screen === 'phone' ? await wrongInAll(page) : []).toEqual([]);
      expect(page.problems).toEqual([]);
    },
  );

  it.skipIf(noBrowser)(
    `pauses an upload, and continues it after a reload and without a connection, where it was${skipped}`,
    async () => {
      const page = await open('studio');
      await logInToStudio(page);
      let uploads = 0;
      await page.route(/\/files/, async (route) => {
        if (route.request().method() === 'POST') uploads += 1;
        if (route.request().method() !== 'PATCH') await route.continue(); // no byte arrives
      });
      const video = await testVideo(folder, { seconds: 3, size: '128x72' });
      await page.setInputFiles('[name=file]', video);
      await expect.poll(() => uploads).toBe(1);
      await page.getByRole('button', { name: 'Pause: test-picture-3.mp4' }).click();
      await page.getByText('Paused').waitFor();
      expect(await wrongInAll(page)).toEqual([]);
      await page.getByRole('button', { name: 'Continue: test-picture-3.mp4' }).click();

      await page.unrouteAll();
      await page.reload();
      await page.getByRole('button', { name: 'Play: test-picture-3.mp4' }).click({ timeout: 120_000 });
      expect(await page.locator('.uploads li').count()).toBe(0);

      await page.context().setOffline(true);
      await page.setInputFiles('[name=file]', await testVideo(folder, { seconds: 2, size: '128x72' }));
      await page.getByText('You are offline.').waitFor();
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Play: test-picture-2.mp4' }).waitFor({ timeout: 120_000 });

      await page.setInputFiles('[name=file]', { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
      await page.getByText('notes.txt is not a video.').waitFor();
    },
  );

  it.skipIf(noBrowser)(`refuses a wrong password, and forgets a user who has logged out${skipped}`, async () => {
    const page = await open('studio');
    await page.fill('[name=companyCode]', 'ACME');
    await page.fill('[name=username]', 'orgadmin@acme.test');
    await page.fill('[name=password]', 'wrong');
    await page.click('main form button');
    expect(await page.getByRole('alert').textContent()).toBeTruthy();
    await logInToStudio(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('[name=companyCode]').waitFor();
    await page.reload();
    await page.locator('[name=companyCode]').waitFor();
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
  });

  it.skipIf(noBrowser)(`says that a user is still signed in where there is no connection${skipped}`, async () => {
    const page = await open('studio');
    await logInToStudio(page);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    // The library below may say so too, of its own request.
    const refusal = page.locator('[role=alert]:not(section *)');
    expect(await refusal.textContent()).toContain('There is no connection.');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('[name=companyCode]').waitFor();
  });

  it.skipIf(noBrowser)(
    `goes on without a word when the access token has expired, and says on every page who is signed in${skipped}`,
    async () => {
      const page = await open('studio');
      await logInToStudio(page);
      await page.context().clearCookies({ name: 'access_token' });
      await page.reload();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect((await page.context().cookies()).map(({ name }) => name)).toContain('access_token');
      await page.goto('/demo#/orders');
      await page.getByRole('link', { name: /^Studio: / }).waitFor();
      expect(page.problems).toEqual([]);
    },
  );

  it.skipIf(noBrowser)(`goes on when it is reloaded while it refreshes the session${skipped}`, async () => {
    const proxy = await startTcpProxy(Number(new URL(server.url).port));
    const page = await openDemo(browser, { url: `http://127.0.0.1:${proxy.port}` }, 'studio');
    await logInToStudio(page);
    await page.context().clearCookies({ name: 'access_token' });
    proxy.holdAnswerTo('POST /api/v1/refresh');
    const refreshing = page.waitForRequest('**/api/v1/refresh');
    await page.reload();
    await refreshing;

    const looking = page.waitForRequest('**/api/v1/identity/users/me');
    await page.reload();
    await looking;
    await proxy.open();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect((await page.context().cookies()).map(({ name }) => name)).toContain('access_token');
    expect(page.problems).toEqual([]);
    await proxy.shut();
  });

  it.skipIf(noBrowser)(`asks to sign in again when the session has ended elsewhere${skipped}`, async () => {
    const page = await open('studio');
    await logInToStudio(page);
    const { headers } = await logIn(server, 'orgadmin@acme.test', 'ACME');
    await graphql(server, 'mutation { revokeOtherSessions { __typename } }', {}, headers);

    await page.locator('[name=companyCode]').waitFor();
    await logInToStudio(page);
    expect(page.problems).toEqual([]);
  });
});

describe('the header of the shop', () => {
  it.skipIf(noBrowser)(
    `knows who signed in on the sign-in page, and forgets one whose session ended elsewhere${skipped}`,
    async () => {
      const page = await open('');
      await page.goto('/login');
      await fill(page, { companyCode: 'ACME', username: 'orgadmin@acme.test', password: DEMO_PASSWORD });
      await page.locator('.devices').waitFor();
      await page.goto('/demo');
      await page.getByRole('link', { name: /^Studio: ./ }).waitFor();

      const { headers } = await logIn(server, 'orgadmin@acme.test', 'ACME');
      await graphql(server, 'mutation { revokeOtherSessions { __typename } }', {}, headers);
      await page.reload();
      await page.getByRole('link', { name: 'Studio', exact: true }).waitFor();
      expect(await page.evaluate('document.cookie')).not.toContain('foyer_staff');
      expect(page.problems).toEqual([]);
    },
  );

  it.skipIf(noBrowser)(`asks nothing about a buyer${skipped}`, async () => {
    const page = await open('studio');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(`${request.url()} ${request.postData() ?? ''}`));
    await page.goto('/demo');
    await page.locator('.offer').first().waitFor();
    expect(asked.filter((request) => /refresh|StaffName/.test(request))).toEqual([]);
  });
});

it('sends its scripts compressed, and lets browsers keep them for ever', async () => {
  const { text } = await send(server, 'GET', '/demo');
  const [script = ''] = text.match(/\/demo\/assets\/index-[^"]+\.js/) ?? [];
  const load = (encoding: string) => fetch(`${server.url}${script}`, { headers: { 'accept-encoding': encoding } });
  const [plain, ...smaller] = await Promise.all(['identity', 'br, gzip', 'gzip;q=1.0, br;q=0'].map(load));
  expect(smaller.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip']);
  const source = await plain?.text();
  for (const response of smaller) {
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
    expect(await response.text()).toBe(source);
  }
});

it('runs only its own scripts, calls only this server, and is linked from the start page', async () => {
  const { headers } = await send(server, 'GET', '/demo');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain(`connect-src 'self' ${server.url} ${server.url.replace('http:', 'ws:')};`);
  expect((await send(server, 'GET', '/')).text).toContain(`${server.url}/demo`);
});
