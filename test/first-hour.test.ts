import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openBrowser, screens } from './support/browsers/browser.ts';
import { choose } from './support/browsers/shop.ts';
import { day } from './support/fixtures/storefront.ts';
import { closeServer, startServer, type HostedServer } from './support/servers/hosted-server.ts';
import { until } from './support/until.ts';
import { testVideo } from './support/fixtures/video.ts';
import { noBrowser, skipped } from './support/visit.ts';

const EMAIL = 'owner@example.test';

let server: HostedServer;
let folder: string;
let browser: Browser | undefined;
let context: BrowserContext;
let section: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-first-hour-'));
  const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8');
  section = (readme.split('## A first hour')[1] ?? '').split('\n## ')[0]?.replaceAll(/\s+/g, ' ') ?? '';
  server = await startServer();
  if (noBrowser) return;
  browser = await openBrowser();
  context = await browser.newContext({ ...screens.desktop, locale: 'en-GB' });
});
afterAll(async () => {
  await browser?.close();
  await closeServer(server);
  await rm(folder, { recursive: true, force: true });
});

/** Everything that is pressed or typed must be in the README: `_italics_` or `code`. */
function written(text: string): string {
  expect(section).toMatch(new RegExp(`[_\`]${RegExp.escape(text)}[_\`]`));
  return text;
}

/** Opens an address that the README names. */
async function open(path: string): Promise<Page> {
  expect(section).toContain(`http://localhost:4000${path}`);
  const page = await context.newPage();
  await page.goto(`${server.url}${path}`);
  return page;
}

describe('the first hour of the README, by the README alone', () => {
  it.skipIf(noBrowser)(`1: sign in${skipped}`, async () => {
    const page = await open('/login');
    await page.getByLabel('Company code').fill(written('ACME'));
    await page.getByLabel('User name').fill(written('orgadmin@acme.test'));
    await page.getByLabel('Password', { exact: true }).fill(written('Foyer-demo-1'));
    await page.getByRole('button', { name: written('Sign in') }).click();
    await page.getByRole('heading', { name: 'Signed-in devices' }).waitFor();
    expect(await page.locator('.devices li').count()).toBe(1);
  });

  it.skipIf(noBrowser)(`2: buy${skipped}`, async () => {
    const page = await open('/demo');
    await page.getByRole('link', { name: /^Studio: ./ }).waitFor(); // recognizes who has signed in
    await page
      .getByRole('link', { name: written('Night at the Museum') })
      .first()
      .click();
    await choose(page, day(1));
    await page.getByRole('button', { name: 'One more: Adult' }).click();
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByLabel('Your name').fill('New Comer');
    await page.getByRole('button', { name: written('Order and pay') }).click();
    await page.getByRole('button', { name: written('Pay RM 45.00 at the bank') }).click();
    await page.getByRole('button', { name: written('Approve') }).click();
    await page.getByRole('link', { name: written('Back to your order') }).click();
    await page.getByRole('heading', { name: written('Paid'), exact: true }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: written('Download tickets (PDF)') }).click();
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  });

  it.skipIf(noBrowser)(`3: see the mail${skipped}`, async () => {
    const page = await open('/sim/inbox/');
    await page.getByText(EMAIL).first().click();
    const mail = page.frameLocator('iframe:visible');
    await mail.getByText(/Thank you, your payment has arrived/).waitFor();
    expect(await mail.getByText('Night at the Museum').count()).toBe(1);
  });

  it.skipIf(noBrowser)(`4: upload and play${skipped}`, async () => {
    const page = await open('/demo#/studio');
    await page.getByLabel('choose files').setInputFiles(await testVideo(folder, { seconds: 4 }));

    await page.getByRole('button', { name: written('Play') }).click({ timeout: 90_000 });
    await until('the picture moves', () =>
      page.evaluate<boolean>('document.querySelector("video")?.currentTime > 0.5'),
    );
    expect(await page.evaluate('document.querySelector("video").error')).toBeNull();
  });

  it.skipIf(noBrowser)(`5: query, where Apollo's script can not be loaded${skipped}`, async () => {
    await context.route(/apollographql/, (route) => route.abort());
    const page = await open('/graphql');
    expect(await page.locator('#query').inputValue()).toContain(`query ${written('WhoAmI')}`);
    await page.getByRole('button', { name: written('Send') }).click();
    await page.locator('#answer', { hasText: 'orgadmin@acme.test' }).waitFor();
    const answer = (await page.locator('#answer').textContent()) ?? '';
    expect(JSON.parse(answer)).not.toHaveProperty('errors');
    for (const found of ['Acme Attractions', 'Night at the Museum', 'assetUrl']) expect(answer).toContain(found);
  });

  it.skipIf(noBrowser).each(['/docs/api', '/login/devices', '/docs/'])(
    `%s: where to look next${skipped}`,
    async (path) => {
      const page = await open(path);
      expect(await page.locator('h1').textContent()).toBeTruthy();
    },
  );
});
