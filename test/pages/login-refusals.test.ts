import { Client } from 'pg';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fill, good, looks, openBrowser, openPage, ways } from '../support/browsers/browser.ts';
import { createOrganization, PASSWORD, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { until } from '../support/until.ts';
import { noBrowser, skipped } from '../support/visit.ts';

/** A network address of its own, so that failures are counted separately. */
const GUESSER = '203.0.113.50';

let server: SharedServer;
let organization: OrganizationFixture;
let db: Client;
let browser: Browser | undefined;

beforeAll(async () => {
  server = await sharedServer();
  organization = await createOrganization(server);
  db = new Client({ connectionString: server.databaseUrl });
  await db.connect();
  browser = noBrowser ? undefined : await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await db.end();
});

const alert = (page: Page) => page.textContent('[role=alert]');
const emailOf = (name: string) => `${name}@${organization.companyCode.toLowerCase()}.test`;

/** The states that an administrator or the platform gives a person or an organization, by their names. */
const states = [
  ['account_state', 'disabled', 'Your account is disabled. Ask your administrator.'],
  ['account_state', 'pending', 'Your account has not been approved yet.'],
  ['account_state', 'invited', 'Open the link in your invitation first.'],
  ['status', 'pending', 'Your organization has not been approved yet.'],
  ['status', 'disabled', 'Your organization is disabled. Ask its administrator.'],
] as const;

const become = (column: 'account_state' | 'status', state: string) =>
  column === 'status'
    ? db.query('UPDATE auth.organizations SET status = $1 WHERE company_code = $2', [state, organization.companyCode])
    : db.query('UPDATE auth.users SET account_state = $1 WHERE email = $2', [state, emailOf('admin')]);

describe.each(ways)('on %s', (way, options: BrowserContextOptions) => {
  it.skipIf(noBrowser).each(states)(
    `a person whose %s is %s reads why they can not log in${skipped}`,
    async (column, state, words) => {
      const page = await openPage(browser, server, '/login', options);
      await become(column, state);
      await fill(page, { companyCode: organization.companyCode, username: emailOf('admin'), password: PASSWORD });
      expect(await alert(page)).toBe(words);
      expect(await looks(page, options)).toEqual(good);

      await become(column, 'active');
      await fill(page, { password: PASSWORD });
      expect(await page.textContent('h1')).toBe('Signed-in devices');
    },
  );

  it.skipIf(noBrowser)(`a person who fails too often reads how long to wait${skipped}`, async () => {
    const strict = await sharedServer('strict'); // which has rate limits
    const guess = { username: `guessed-${way.replaceAll(' ', '-')}`, password: 'wrong' };
    const tries = { headers: { 'x-forwarded-for': GUESSER }, body: { ...guess, company_code: 'ACME' } };
    await until('too many tries', async () => (await send(strict, 'POST', '/api/v1/login', tries)).status === 429);
    const page = await openPage(browser, strict, '/login', { ...options, extraHTTPHeaders: tries.headers });
    await fill(page, { ...guess, companyCode: 'ACME' });
    expect(await alert(page)).toMatch(/^Too many tries\. Try again in \d+ minutes?\.$/);
    expect(await looks(page, options)).toEqual(good);
  });

  it.skipIf(noBrowser)(`an invalid field is marked, and the input stays${skipped}`, async () => {
    const page = await openPage(browser, server, '/login/sign-up', options);
    await page.evaluate('document.querySelector("main form").noValidate = true');
    await fill(page, { email: 'no-address' });
    expect(await alert(page)).toBe('Look again at what you have typed.');
    expect(await page.getAttribute('[name=email]', 'aria-invalid')).toBe('true');
    expect(await page.inputValue('[name=email]')).toBe('no-address');
    expect(await looks(page, options)).toEqual(good);
  });
});
