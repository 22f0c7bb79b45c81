import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { DEMO_PASSWORD } from '../fixtures/people.ts';
import type { Server } from '../servers/server-process.ts';
import { accessibilityViolations, isScrolledSideways, screens } from './browser.ts';

/** A window on the demonstration; `problems` are the errors of its console. */
export type DemoPage = Page & { problems: string[] };

/**
 * The answer of a refresh without a session is a step of signing in, and Chromium reports every 401. Other tests advertise with
 * pictures that are nowhere, at hosts under `.test`.
 */
const isExpected = (place: string) => place.endsWith('/api/v1/refresh') || /^https:\/\/[\w.-]+\.test\//.test(place);

/** A fresh browser window on a page of the demonstration. */
export async function openDemo(
  browser: Browser | undefined,
  { url }: Pick<Server, 'url'>,
  place: string,
  options: BrowserContextOptions = screens.desktop,
): Promise<DemoPage> {
  if (!browser) throw new Error('there is no browser here');
  const context = await browser.newContext({ locale: 'en-GB', ...options, baseURL: url });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !isExpected(message.location().url)) problems.push(message.text());
  });
  await page.goto(`/demo#/${place}`);
  return Object.assign(page, { problems });
}

/** Signs Acme's administrator in on the page of the studio. */
export async function logInToStudio(page: Page): Promise<void> {
  await page.fill('[name=companyCode]', 'ACME');
  await page.fill('[name=username]', 'orgadmin@acme.test');
  await page.fill('[name=password]', DEMO_PASSWORD);
  await page.click('main form button');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

export const looksRight = async (page: Page) => ({
  violations: await accessibilityViolations(page),
  sideways: await isScrolledSideways(page),
});

export const right = { violations: [], sideways: false };
