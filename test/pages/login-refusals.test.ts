import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fill, good, looks, openBrowser, openPage, ways } from '../support/browser.ts';
import { closeHouse, openHouse, type House } from '../support/house.ts';
import { INTERNAL_PSK, openOffice, PASSWORD, type Office } from '../support/office.ts';
import { DEMO_PASSWORD, send } from '../support/people.ts';
import { until } from '../support/until.ts';
import { noBrowser, skipped } from '../support/visit.ts';

let house: House;
let unlicensed: House;
let office: Office;
let db: Client;
let browser: Browser | undefined;

beforeAll(async () => {
  house = await openHouse({ LOGIN_FLOOR_MS: '50', INTERNAL_PSK });
  unlicensed = await openHouse({ LOGIN_FLOOR_MS: '50', LICENSE_KEY: 'of nobody' });
  office = await openOffice(house);
  const told = JSON.parse(await readFile(join(house.dataDir, 'running.json'), 'utf8')) as Record<string, string>;
  db = new Client({ connectionString: told['DATABASE_URL'] });
  await db.connect();
  browser = noBrowser ? undefined : await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await db.end();
  await closeHouse(house);
  await closeHouse(unlicensed);
});

const alert = (page: Page) => page.textContent('[role=alert]');
const emailOf = (name: string) => `${name}@${office.companyCode.toLowerCase()}.test`;

/** What an administrator's or the platform's hand makes of a person or an organization, found by its words. */
const states = [
  ['account_state', 'disabled', 'Your account is disabled. Ask your administrator.'],
  ['account_state', 'pending', 'Your account has not been approved yet.'],
  ['account_state', 'invited', 'Open the link in your invitation first.'],
  ['status', 'pending', 'Your organization has not been approved yet.'],
  ['status', 'disabled', 'Your organization is disabled. Ask its administrator.'],
] as const;

const become = (column: 'account_state' | 'status', state: string) =>
  column === 'status'
    ? db.query('UPDATE auth.organizations SET status = $1 WHERE company_code = $2', [state, office.companyCode])
    : db.query('UPDATE auth.users SET account_state = $1 WHERE email = $2', [state, emailOf('admin')]);

describe.each(ways)('on %s', (way, options: BrowserContextOptions) => {
  it.skipIf(noBrowser).each(states)(
    `somebody whose %s is %s reads why the door stays shut${skipped}`,
    async (column, state, words) => {
      const page = await openPage(browser, house, '/login', options);
      await become(column, state);
      await fill(page, { companyCode: office.companyCode, username: emailOf('admin'), password: PASSWORD });
      expect(await alert(page)).toBe(words);
      expect(await looks(page, options)).toEqual(good);

      await become(column, 'active');
      await fill(page, { password: PASSWORD });
      expect(await page.textContent('h1')).toBe('Signed-in devices');
    },
  );

  it.skipIf(noBrowser)(`who tries too often reads how long to wait${skipped}`, async () => {
    const guess = { username: `guessed-${way.replaceAll(' ', '-')}`, password: 'wrong' };
    const body = { ...guess, company_code: 'ACME' };
    await until('too many tries', async () => (await send(house, 'POST', '/api/v1/login', { body })).status === 429);
    const page = await openPage(browser, house, '/login', options);
    await fill(page, { ...guess, companyCode: 'ACME' });
    expect(await alert(page)).toMatch(/^Too many tries\. Try again in \d+ minutes?\.$/);
    expect(await looks(page, options)).toEqual(good);
  });

  it.skipIf(noBrowser)(`nobody comes in where the license is over, and the page says so${skipped}`, async () => {
    const page = await openPage(browser, unlicensed, '/login', options);
    await fill(page, { companyCode: 'ACME', username: 'orgadmin@acme.test', password: DEMO_PASSWORD });
    expect(await alert(page)).toBe('The license of this installation has expired. Ask whoever runs it.');
    expect(await looks(page, options)).toEqual(good);
  });

  it.skipIf(noBrowser)(`a field that is wrong is marked, and what was typed stays${skipped}`, async () => {
    const page = await openPage(browser, house, '/login/sign-up', options);
    await page.evaluate('document.querySelector("main form").noValidate = true');
    await fill(page, { email: 'no-address' });
    expect(await alert(page)).toBe('Look again at what you have typed.');
    expect(await page.getAttribute('[name=email]', 'aria-invalid')).toBe('true');
    expect(await page.inputValue('[name=email]')).toBe('no-address');
    expect(await looks(page, options)).toEqual(good);
  });
});
