import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { accessibilityViolations, isScrolledSideways, openBrowser, screens } from '../support/browser.ts';
import { closeHouse, openHouse, type House } from '../support/house.ts';
import { lacks, why } from '../support/missing.ts';
import { send } from '../support/people.ts';

const noBrowser = lacks('chromium');
const skipped = why('chromium');

let house: House;
let browser: Browser | undefined;

beforeAll(async () => {
  house = await openHouse({ LOGIN_FLOOR_MS: '50' });
  browser = noBrowser ? undefined : await openBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await closeHouse(house);
});

/** A page of the house, and what its browser complained about. */
async function open(path: string, screen: (typeof screens)[keyof typeof screens] = screens.desktop) {
  if (!browser) throw new Error('there is no browser here');
  const context = await browser.newContext({ ...screen, baseURL: house.url });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    const noIcon = message.location().url.endsWith('/favicon.ico'); // browsers ask by themselves
    if (message.type() === 'error' && !noIcon) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(error.message));
  const from: string[] = [];
  page.on('request', (request) => void from.push(new URL(request.url()).origin));
  await page.goto(path);
  return { page, complaints, from };
}

describe('the page of the REST routes', () => {
  it.skipIf(noBrowser)(`runs an example against the house: sign in, then ask who one is${skipped}`, async () => {
    const { page, complaints, from } = await open('/docs/api');
    await page.click('#operations-tag-Sessions');
    const login = page.locator('#operations-Sessions-POST_api_v_login');
    await login.locator('.opblock-summary').click();
    await login.locator('.execute').click();
    const answered = (of: typeof login) => of.locator('.live-responses-table .response-col_status').last();
    await answered(login).waitFor();
    expect(await answered(login).textContent()).toContain('200');

    await page.click('#operations-tag-Identity');
    const me = page.locator('#operations-Identity-GET_api_v_identity_users_me');
    await me.locator('.opblock-summary').click();
    await me.locator('.execute').click();
    await answered(me).waitFor();
    expect(await me.locator('.live-responses-table').textContent()).toContain('orgadmin@acme.test');

    expect(complaints).toEqual([]);
    expect(from.filter((origin) => origin !== house.url && origin !== 'null')).toEqual([]); // null: data URLs
  });

  it('allows no script but its own, and no other site', async () => {
    const { headers } = await send(house, 'GET', '/docs/api');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe-eval|https?:/);
  });
});

describe('the documents', () => {
  const shown = ['getting-started', 'architecture', 'operations', 'security', 'migration', 'errors', 'adding-a-slice'];

  it.skipIf(noBrowser).each(shown)(`%s reads well on phone and desktop${skipped}`, async (name) => {
    for (const screen of Object.values(screens)) {
      const { page, complaints } = await open(`/docs/docs/${name}.md`, screen);
      expect(await page.locator('h1').count()).toBe(1);
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await isScrolledSideways(page)).toBe(false);
      expect(complaints).toEqual([]);
    }
  });
});
