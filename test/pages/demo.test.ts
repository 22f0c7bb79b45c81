import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { accessibilityViolations, isScrolledSideways, openBrowser, screens } from '../support/browsers/browser.ts';
import { closeServer, startServer, type HostedServer } from '../support/servers/hosted-server.ts';
import { DEMO_PASSWORD, send } from '../support/fixtures/people.ts';
import { acmeAdmin, day, onSale } from '../support/fixtures/storefront.ts';
import { until } from '../support/until.ts';
import { testVideo } from '../support/fixtures/video.ts';
import { noBrowser, skipped } from '../support/visit.ts';

const LEFT = 9;

let server: HostedServer;
let browser: Browser | undefined;
let folder: string;
let ticketGroupId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-demo-'));
  server = await startServer({ LOGIN_FLOOR_MS: '50', PROCESSING_BEAT_MS: '200' });
  ({ ticketGroupId } = await onSale(server, await acmeAdmin(server), {
    group: { groupNameBm: 'Tasik', groupNameEn: 'The lake', groupNameCn: '湖', dailyCapacity: LEFT },
  }));
  browser = noBrowser ? undefined : await openBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await closeServer(server);
  await rm(folder, { recursive: true, force: true });
});

/** A fresh browser window on a page of the demonstration; `problems` are the errors of its console. */
async function open(place: string, options: BrowserContextOptions = screens.desktop) {
  if (!browser) throw new Error('there is no browser here');
  const context = await browser.newContext({ locale: 'en-GB', ...options, baseURL: server.url });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(`/demo#/${place}`);
  return Object.assign(page, { problems });
}

const dayOf = (page: Page, date: string) => page.locator(`.day:has([value="${date}"])`);
const looksRight = async (page: Page) => ({
  violations: await accessibilityViolations(page),
  sideways: await isScrolledSideways(page),
});
/** Records the labels of progress bars, because a small video is done in half a second. */
const watchProgress = `window.progressSeen = new Set(), new MutationObserver(() => {
  for (const bar of document.querySelectorAll('progress')) progressSeen.add(bar.ariaLabel);
}).observe(document.body, { childList: true, subtree: true }), undefined`;

const right = { violations: [], sideways: false };

async function logIn(page: Page) {
  await page.fill('[name=companyCode]', 'ACME');
  await page.fill('[name=username]', 'orgadmin@acme.test');
  await page.fill('[name=password]', DEMO_PASSWORD);
  await page.click('main form button');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

describe.each(Object.entries(screens))('on a %s', (screen, options) => {
  const date = day(screen === 'phone' ? 3 : 4);

  it.skipIf(noBrowser)(
    `a guest buys tickets: others see the availability at once, and the page shows the payment${skipped}`,
    async () => {
      const other = await open(`tickets/${ticketGroupId}`);
      await dayOf(other, date).getByText(`${LEFT} left`).waitFor();

      const page = await open('', options);
      await page.getByRole('link', { name: 'Choose: The lake' }).click();
      await dayOf(page, date).click();
      await page.fill('[type=number]', '2');
      await page.fill('[name=email]', `${screen}@example.test`);
      await page.fill('[name=fullName]', 'Guest Tan');
      expect(await looksRight(page)).toEqual(right);
      await page.getByRole('button', { name: 'Order', exact: true }).click();

      await page.getByText('Waiting for payment').waitFor();
      await dayOf(other, date)
        .getByText(`${LEFT - 2} left`)
        .waitFor();

      await page.evaluate('window.notReloaded = true');
      const opening = page.context().waitForEvent('page');
      await page.getByRole('button', { name: 'Pay at the bank' }).click();
      const bank = await opening;
      await page.getByText('You are at the bank').waitFor();
      await bank.locator('button[value=approve]').click();

      await page.getByText('Paid', { exact: true }).waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Your tickets as PDF' }).click();
      expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
      expect(await page.evaluate('window.notReloaded')).toBe(true);
      expect(await looksRight(page)).toEqual(right);
      expect([...page.problems, ...other.problems]).toEqual([]);
    },
    60_000,
  );
});

describe('the studio', () => {
  it.skipIf(noBrowser).each([
    ['phone', 4],
    ['desktop', 5],
  ] as const)(
    `uploads a video on a %s, shows the progress of sending and processing, and plays it${skipped}`,
    async (screen, seconds) => {
      const page = await open('studio', screens[screen]);
      await logIn(page);
      await page.evaluate(watchProgress);
      await page.setInputFiles('[name=file]', await testVideo(folder, { seconds, size: '128x72' }));
      await page.getByRole('button', { name: 'Upload' }).click();
      await page.getByRole('button', { name: `Play: test-picture-${seconds}.mp4` }).click({ timeout: 120_000 });
      const progress = await page.evaluate<string[]>('[...progressSeen]');
      expect(progress).toContainEqual('Uploading');
      expect(progress).toContainEqual(expect.stringMatching(/^Processing: /));
      await until('the picture moves', () =>
        page.evaluate<boolean>('document.querySelector("video")?.currentTime > 0.5'),
      );
      expect(await page.evaluate('document.querySelector("video").src')).toMatch(/^blob:/); // hls.js, not the browser
      expect(await looksRight(page)).toEqual(right);
      expect(page.problems).toEqual([]);
    },
    240_000,
  );

  it.skipIf(noBrowser)(
    `refuses a wrong password, and forgets a user who has logged out${skipped}`,
    async () => {
      const page = await open('studio');
      await page.fill('[name=companyCode]', 'ACME');
      await page.fill('[name=username]', 'orgadmin@acme.test');
      await page.fill('[name=password]', 'wrong');
      await page.click('main form button');
      expect(await page.getByRole('alert').textContent()).toBeTruthy();
      await logIn(page);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.locator('[name=companyCode]').waitFor();
      await page.reload();
      await page.locator('[name=companyCode]').waitFor();
      expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    },
    60_000,
  );
});

describe('the storefront', () => {
  it.skipIf(noBrowser)(
    `accepts the order of a registered customer, by keyboard alone${skipped}`,
    async () => {
      const page = await open(`tickets/${ticketGroupId}`);
      await dayOf(page, day(5)).waitFor();
      await page.focus(`[value="${day(5)}"]`);
      await page.keyboard.press('Space');
      await page.focus('[name=buyer]');
      await page.keyboard.press('ArrowDown');
      await page.locator('[name=password]').waitFor();
      for (const text of ['customer@foyer.test', DEMO_PASSWORD]) {
        await page.keyboard.press('Tab');
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
      await page.getByText('Waiting for payment').waitFor();
      expect(page.problems).toEqual([]);
    },
    60_000,
  );

  it.skipIf(noBrowser)(
    `lets the keyboard skip the header, and moves to the top of another view${skipped}`,
    async () => {
      const page = await open('');
      await page.getByRole('link', { name: 'Choose: The lake' }).waitFor();
      await page.keyboard.press('Tab');
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN');
      await page.getByRole('link', { name: 'Choose: The lake' }).press('Enter');
      await page.locator('.day').first().waitFor();
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN');
      expect(await page.title()).toBe('Tickets – Foyer');
    },
    60_000,
  );

  it.skipIf(noBrowser)(
    `speaks three languages${skipped}`,
    async () => {
      const page = await open('');
      for (const [code, tag, name] of [
        ['bm', 'ms', 'Tasik'],
        ['en', 'en', 'The lake'],
        ['cn', 'zh-Hans', '湖'],
      ] as const) {
        await page.selectOption('select', code);
        await page.getByRole('heading', { name, exact: true }).waitFor();
        expect(await page.getAttribute('html', 'lang')).toBe(tag);
      }
    },
    60_000,
  );

  it.skipIf(noBrowser).each(['light', 'dark'] as const)(
    `axe finds nothing wrong in %s colours${skipped}`,
    async (colorScheme) => {
      for (const screen of Object.values(screens)) {
        for (const [place, sign] of [
          ['', '.offer'],
          [`tickets/${ticketGroupId}`, '.day'],
          ['studio', '[name=companyCode]'],
        ] as const) {
          const page = await open(place, { ...screen, colorScheme });
          await page.locator(sign).first().waitFor();
          expect({ place, ...(await looksRight(page)) }).toEqual({ place, ...right });
          await page.context().close();
        }
      }
    },
    60_000,
  );
});

it('runs only its own scripts, calls only this server, and is linked from the start page', async () => {
  const { headers } = await send(server, 'GET', '/demo');
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain(`connect-src 'self' ${server.url} ${server.url.replace('http:', 'ws:')};`);
  expect((await send(server, 'GET', '/')).text).toContain(`${server.url}/demo`);
});
