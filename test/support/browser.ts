import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-sync'];

/** Debian's Chromium, without a window. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: '/usr/bin/chromium', args: flags });

/** What pages must look good on; nothing may be wider than 320 px (WCAG 1.4.10). */
export const screens = {
  phone: { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const satisfies Record<string, BrowserContextOptions>;

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core')), 'utf8');

/** What axe finds wrong on a page, by its own rule names and the elements; nothing is right. */
export async function accessibilityViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
  );
}

/** Whether everything fits: nothing is wider than the screen. */
export const isScrolledSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');
