import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

import { sharedBrowser } from '../servers/shared-server.ts';
import { closeAfterTests } from './closing.ts';

/** The Chromium of this run: each test has its own contexts, and closing it closes only those. */
export const openBrowser = async (): Promise<Browser> => closeAfterTests(await chromium.connect(await sharedBrowser()));

/** The screens on which pages must work; nothing may be wider than 320 px (WCAG 1.4.10). */
export const screens = {
  phone: { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const satisfies Record<string, BrowserContextOptions>;

/** With and without JavaScript, for pages that work without it. */
export const ways = [
  ['a phone', screens.phone],
  ['a desktop', screens.desktop],
  ['a phone without JavaScript', { ...screens.phone, javaScriptEnabled: false }],
  ['a desktop without JavaScript', { ...screens.desktop, javaScriptEnabled: false }],
] as const satisfies [string, BrowserContextOptions][];

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** The rules that may find something else in another scheme, or in another language. */
const rulesOf = {
  all: [],
  'of colors': ['color-contrast', 'link-in-text-block'],
  'of texts': [
    'html-lang-valid',
    'document-title',
    'empty-heading',
    'button-name',
    'link-name',
    'image-alt',
    'label',
    'label-title-only',
    'select-name',
    'input-button-name',
    'aria-input-field-name',
    'summary-name',
  ],
} as const;

/** The violations that axe finds on a page, by rule and element. */
export async function accessibilityViolations(page: Page, rules: keyof typeof rulesOf = 'all'): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe);
  const only = rules === 'all' ? '' : `runOnly: ${JSON.stringify(rulesOf[rules])},`;
  return page.evaluate<string[]>(
    // Reports of passed rules take most of its time, and are not used.
    `axe.run({ ${only} resultTypes: ['violations'], preload: false }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`,
  );
}

/**
 * The violations in light and dark. Where no rule of a style sheet asks for the scheme, only colors can depend on it
 * (`light-dark()`), so that the other rules find the same in both.
 */
export async function violationsInBothSchemes(page: Page): Promise<string[]> {
  const found: string[] = [];
  const asks = await page.evaluate<boolean>(
    `[...document.styleSheets].some(({ cssRules }) => [...cssRules].some(({ cssText }) => /prefers-color-scheme/.test(cssText)))`,
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const rules = colorScheme === 'light' || asks ? 'all' : 'of colors';
    found.push(...(await accessibilityViolations(page, rules)).map((violation) => `${colorScheme}: ${violation}`));
  }
  return found;
}

/** Whether nothing is wider than the screen. */
export const isScrolledSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

/** The findings about a page. axe is a script of the page, so without JavaScript only the layout is checked. */
export const looks = async (page: Page, { javaScriptEnabled = true }: BrowserContextOptions = {}) => ({
  violations: javaScriptEnabled ? await accessibilityViolations(page) : [],
  sideways: await isScrolledSideways(page),
});

/** The expected findings of every page. */
export const good = { violations: [], sideways: false };

/** A fresh browser window on a page of the server, in English unless told otherwise. */
export async function openPage(
  browser: Browser | undefined,
  { url }: { url: string },
  path: string,
  options: BrowserContextOptions = screens.desktop,
): Promise<Page> {
  if (!browser) throw new Error('there is no browser here');
  const context = await browser.newContext({ locale: 'en-GB', ...options, baseURL: url });
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

/** Fills in the form of a page, and sends it. */
export async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
  await page.click('main form button');
  await page.waitForLoadState(); // a click waits only until the next page begins
}
