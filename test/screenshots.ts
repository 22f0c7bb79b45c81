import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { screens } from './support/browsers/browser.ts';
import { choose as chooseDay } from './support/browsers/shop.ts';
import { day } from './support/fixtures/storefront.ts';
import { launchBrowser } from './support/browsers/chromium.ts';
import { stopServerProcess, startServerProcess } from './support/servers/server-process.ts';
import { DEMO_PASSWORD } from './support/fixtures/people.ts';

// `pnpm screenshots`: the pictures in README and docs, taken from the running system.

const folder = join(import.meta.dirname, '../docs/images');

interface Picture {
  name: string;
  path: string;
  /** What a person does before the picture is taken. */
  first?(page: Page): Promise<void>;
  phone?: true;
}

async function logIn(page: Page) {
  await page.fill('[name=companyCode]', 'ACME');
  await page.fill('[name=username]', 'orgadmin@acme.test');
  await page.fill('[name=password]', DEMO_PASSWORD);
  await page.click('main form button');
}

const openMuseum = (page: Page) => page.getByRole('link', { name: 'Choose: Night at the Museum' }).first().click();

/** Chooses a day and a ticket. */
async function choose(page: Page) {
  await openMuseum(page);
  await chooseDay(page, day(1));
  await page.getByRole('button', { name: 'One more: Adult' }).click();
  await page.fill('[name=email]', 'siti@example.test');
  await page.fill('[name=fullName]', 'Siti Tan');
  await page.locator('.total').getByText('RM').waitFor();
}

/** Orders as a guest, and goes to the bank. */
async function goToTheBank(page: Page) {
  await choose(page);
  await page.getByRole('button', { name: 'Order and pay' }).click();
  await page.getByRole('button', { name: /^Pay RM/ }).click();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
}

async function pay(page: Page) {
  await goToTheBank(page);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.locator('.verdict.SUCCESS').waitFor();
}

/** The width that most phones have; pages are tried on narrower ones. */
const phoneScreen = { ...screens.phone, viewport: { width: 390, height: 780 } };

const pictures: readonly Picture[] = [
  { name: 'start', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'login-phone', path: '/login?lang=cn', phone: true },
  { name: 'devices', path: '/login', first: logIn },
  { name: 'demo', path: '/demo/' },
  { name: 'demo-phone', path: '/demo/', phone: true },
  { name: 'order', path: '/demo/', first: choose },
  { name: 'bank', path: '/demo/', first: goToTheBank },
  { name: 'paid-phone', path: '/demo/', first: pay, phone: true },
  { name: 'api', path: '/docs/api' },
  { name: 'api-route', path: '/docs/api/sessions#post-api-v1-login' },
];

const server = await startServerProcess({ LOG_LEVEL: 'warn', PORT: '4000', DATA_DIR: join(tmpdir(), 'foyer') });
const browser = await launchBrowser();
try {
  await mkdir(folder, { recursive: true });
  for (const { name, path, first, phone } of pictures) {
    const context = await browser.newContext({
      ...(phone ? phoneScreen : screens.desktop),
      locale: 'en-GB',
      baseURL: server.url,
    });
    const page = await context.newPage();
    await page.goto(path);
    await first?.(page);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(folder, `${name}.png`) });
    await context.close();
  }
} finally {
  await browser.close();
  await stopServerProcess(server);
}
