import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { openBrowser, screens } from './support/browser.ts';
import { closeHouse, openHouse } from './support/house.ts';
import { DEMO_PASSWORD } from './support/people.ts';

// `pnpm screenshots`: the pictures in README and docs, taken from the running system.

const folder = join(import.meta.dirname, '../docs/images');

interface Picture {
  name: string;
  path: string;
  /** What a person does before the picture is taken. */
  first?(page: Page): Promise<unknown>;
  phone?: true;
}

async function signIn(page: Page) {
  await page.fill('[name=companyCode]', 'ACME');
  await page.fill('[name=username]', 'orgadmin@acme.test');
  await page.fill('[name=password]', DEMO_PASSWORD);
  await page.click('main form button');
}

const pictures: readonly Picture[] = [
  { name: 'start', path: '/' },
  { name: 'login', path: '/login' },
  { name: 'login-phone', path: '/login?lang=cn', phone: true },
  { name: 'devices', path: '/login', first: signIn },
  { name: 'demo', path: '/demo/' },
  { name: 'demo-phone', path: '/demo/', phone: true },
  { name: 'api', path: '/docs/api' },
  { name: 'bank', path: '/sim/bank/' },
];

const house = await openHouse({ LOG_LEVEL: 'warn', PORT: '4000', DATA_DIR: join(tmpdir(), 'foyer') });
const browser = await openBrowser();
try {
  await mkdir(folder, { recursive: true });
  for (const { name, path, first, phone } of pictures) {
    const context = await browser.newContext({
      ...(phone ? screens.phone : screens.desktop),
      locale: 'en-GB',
      baseURL: house.url,
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
  await closeHouse(house);
}
