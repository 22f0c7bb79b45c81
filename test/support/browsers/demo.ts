import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

import { DEMO_PASSWORD } from '../fixtures/people.ts';
import type { Server } from '../servers/server-process.ts';
import { accessibilityViolations, isScrolledSideways, screens } from './browser.ts';

/** A window on the demonstration; `problems` are the errors of its console. */
export type DemoPage = Page & { problems: string[] };

/**
 * The answer of a refresh without a session is a step of signing in, and one before a refresh has come a step of waiting for it;
 * Chromium reports every 401. Other tests advertise with pictures that are nowhere, at hosts under `.test`.
 */
const isExpected = (place: string) =>
  /\/api\/v1\/(refresh|identity\/users\/me)$/.test(place) || /^https:\/\/[\w.-]+\.test\//.test(place);

/** Less is a number that got another digit. */
const SEEN = 0.005;

const RECORD_SHIFTS = `window.shifts = []; window.observed = new PerformanceObserver((list) => {
  for (const { hadRecentInput, value, sources } of list.getEntries())
    if (!hadRecentInput && value >= ${SEEN}) shifts.push(value.toFixed(4) + ' ' + sources.map(({ node }) => node?.nodeName + '.' + (node?.className ?? '')));
}); observed.observe({ type: 'layout-shift', buffered: true });`;

/** After the next frame, which tells of what was just done. */
const FORGET_SHIFTS = `new Promise((done) => requestAnimationFrame(() => setTimeout(done))).then(() => {
  observed.takeRecords();
  shifts.length = 0;
})`;

/** A fresh browser window on a page of the demonstration. */
export async function openDemo(
  browser: Browser | undefined,
  { url }: Pick<Server, 'url'>,
  place: string,
  options: BrowserContextOptions = screens.desktop,
): Promise<DemoPage> {
  if (!browser) throw new Error('there is no browser here');
  const context = await browser.newContext({ locale: 'en-GB', ...options, baseURL: url });
  await context.addInitScript(RECORD_SHIFTS);
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

/** Lets the next page of a list fail once. Whatever else is asked meanwhile gets its answer. */
export async function failNextPage(page: Page): Promise<void> {
  let failed = false;
  await page.route('**/graphql', (route) => {
    if (failed || !route.request().postData()?.includes('"after":"')) return route.fallback();
    failed = true;
    return route.abort();
  });
}

export const looksRight = async (page: Page) => ({
  violations: await accessibilityViolations(page),
  sideways: await isScrolledSideways(page),
});

export const right = { violations: [], sideways: false };

const tagsOf = { bm: 'ms', cn: 'zh-Hans', en: 'en' } as const;

/**
 * What is wrong with a page of the demonstration: by all rules of axe on both screens, in dark by those of colors, in the other
 * languages by those of texts; and what is wider than a screen in any language. Leaves the page as it was, in English.
 */
export async function wrongInAll(page: Page): Promise<string[]> {
  const wrong: string[] = [];
  const before = page.viewportSize();
  await page.emulateMedia({ reducedMotion: 'reduce' }); // axe would see a color between the two schemes
  for (const [language, tag] of Object.entries(tagsOf)) {
    await page.locator('header select').selectOption(language);
    await page.locator(`html[lang=${tag}]`).waitFor();
    for (const [screen, { viewport }] of Object.entries(screens)) {
      await page.setViewportSize(viewport);
      if (await isScrolledSideways(page)) wrong.push(`${language}, ${screen}: wider than the screen`);
      if (language === 'en') wrong.push(...(await accessibilityViolations(page)).map((each) => `${screen}: ${each}`));
    }
    if (language !== 'en')
      wrong.push(...(await accessibilityViolations(page, 'of texts')).map((each) => `${language}: ${each}`));
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  wrong.push(...(await accessibilityViolations(page, 'of colors')).map((each) => `dark: ${each}`));
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before) await page.setViewportSize(before);
  await page.evaluate(FORGET_SHIFTS);
  return wrong;
}

/** What has moved on the page since it was loaded though nobody touched it (Cumulative Layout Shift). */
export const shiftsOf = (page: Page): Promise<string[]> => page.evaluate<string[]>('window.shifts');
