import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { screens } from './support/browsers/browser.ts';
import { launchBrowser } from './support/browsers/chromium.ts';
import { stopServerProcess, startServerProcess } from './support/servers/server-process.ts';
import { DEMO_PASSWORD } from './support/fixtures/people.ts';

// `pnpm screenshots`: the pictures in README and docs, taken from the running system.

const folder = join(import.meta.dirname, '../docs/images');

interface Picture {
  name: string;
  path: string;
  /** What a person does before the picture is taken; of another page, if one is returned. */
  first?(page: Page): Promise<Page | void>;
  phone?: true;
}

async function logIn(page: Page) {
  await page.fill('[name=companyCode]', 'ACME');
  await page.fill('[name=username]', 'orgadmin@acme.test');
  await page.fill('[name=password]', DEMO_PASSWORD);
  await page.click('main form button');
}

/** Orders as a guest, and goes to the bank. */
async function goToTheBank(page: Page) {
  await page.getByRole('link', { name: 'Choose: Night at the Museum' }).click();
  await page.locator('.day:not(:has(:disabled))').nth(1).click();
  await page.fill('[name=email]', 'siti@example.test');
  await page.fill('[name=fullName]', 'Siti Tan');
  await page.getByRole('button', { name: 'Order', exact: true }).click();
  const opening = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Pay at the bank' }).click();
  const bank = await opening;
  await bank.getByRole('button', { name: 'Approve' }).waitFor();
  return bank;
}

async function pay(page: Page) {
  const bank = await goToTheBank(page);
  await bank.getByRole('button', { name: 'Approve' }).click();
  await bank.locator('.verdict.SUCCESS').waitFor();
  return bank;
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
  { name: 'order', path: '/demo/', first: (page) => page.getByRole('link', { name: /Night at the Museum/ }).click() },
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
    const shown = (await first?.(page)) ?? page;
    await shown.waitForLoadState('networkidle');
    await shown.screenshot({ path: join(folder, `${name}.png`) });
    await context.close();
  }
} finally {
  await browser.close();
  await stopServerProcess(server);
}
