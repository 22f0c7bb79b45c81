import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fill, good, looks, openPage, ways } from '../support/browsers/browser.ts';
import type { Server } from '../support/servers/server-process.ts';
import { linkFor, mailsTo } from '../support/servers/inbox.ts';
import { createOrganization, PASSWORD, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send, logIn } from '../support/fixtures/people.ts';
import { until } from '../support/until.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

const acme = '0a0c0000-0000-4000-8000-000000000001';
const NEW_PASSWORD = 'Fresh-secret-2';

let server: Server;
let fixture: OrganizationFixture;
let browser: Browser | undefined;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
  fixture = await createOrganization(server);
});
afterAll(() => endVisit({ browser }));

const title = (page: Page) => page.textContent('h1');
const alert = (page: Page) => page.textContent('[role=alert]');
const notice = (page: Page) => page.textContent('[role=status]');

describe.each(ways)('on %s', (way, options: BrowserContextOptions) => {
  const scripted = !('javaScriptEnabled' in options);
  const short = way.replace('a ', '').replace(' without JavaScript', '-plain');
  const open = (path: string) => openPage(browser, server, path, options);
  const looksGood = async (page: Page) => expect(await looks(page, options)).toEqual(good);

  /** Another person of the fixture, on the page of their devices. */
  async function person(name: string) {
    const { id } = await fixture.join(`${name}-${short}`);
    return { id, email: `${name}-${short}@${fixture.companyCode.toLowerCase()}.test` };
  }
  async function loggedIn(email: string, password = PASSWORD) {
    const page = await open('/login');
    await fill(page, { companyCode: fixture.companyCode, username: email, password });
    return page;
  }

  it.skipIf(noBrowser)(
    `an invited person reads the invitation, accepts it, and chooses a password${skipped}`,
    async () => {
      const email = `invited-${short}@acme.test`;
      const admin = await logIn(server, 'orgadmin@acme.test', 'ACME');
      const { status } = await send(server, 'POST', `/api/v1/tenancy/organizations/${acme}/invitations`, {
        headers: admin.headers,
        body: { username: email, email, given_name: 'Mei', family_name: 'Lim' },
      });
      expect(status).toBe(201);
      const link = await linkFor(server, email, '/auth/magic-link');

      const page = await open(link);
      await page.reload(); // like a mail scanner: reading does not use the link
      expect(await page.textContent('.lead')).toContain(`the company code ACME and your user name ${email}`);
      await looksGood(page);
      await page.click('main form button');

      expect(await title(page)).toBe('Choose a new password');
      expect(await page.textContent('.lead')).toBe('Before you go on, choose a password of your own.');
      await looksGood(page);
      await fill(page, { newPassword: 'password' });
      expect(await alert(page)).toBe('This password is too simple.');
      await looksGood(page);
      await fill(page, { newPassword: NEW_PASSWORD });
      expect(await title(page)).toBe('Signed-in devices');

      await page.goto(link);
      expect(await alert(page)).toBe('This link is not valid any more: ask for another invitation.');
      await looksGood(page);
    },
  );

  it.skipIf(noBrowser)(`a forgotten password is reset by a link in a mail, once${skipped}`, async () => {
    const { email } = await person('forgetful');
    const page = await open('/login/forgot');
    await fill(page, { companyCode: fixture.companyCode, email });
    expect(await title(page)).toBe('Look into your inbox');
    await looksGood(page);

    const link = await linkFor(server, email, '/reset-password');
    await page.goto(link);
    await looksGood(page);
    await fill(page, { newPassword: 'password' });
    expect(await alert(page)).toBe('This password is too simple.');
    await fill(page, { newPassword: NEW_PASSWORD });
    expect(await notice(page)).toBe('Your new password is set. Sign in with it.');
    await looksGood(page);
    await fill(page, { companyCode: fixture.companyCode, username: email, password: NEW_PASSWORD });
    expect(await title(page)).toBe('Signed-in devices');

    await page.goto(link);
    await fill(page, { newPassword: 'Another-secret-3' });
    expect(await alert(page)).toBe('This link is not valid any more: ask for another one.');
    await looksGood(page);
  });

  it.skipIf(noBrowser)(`the provider's rules for a password are shown, and enforced${skipped}`, async () => {
    const { email } = await person('careful');
    const page = await loggedIn(email);
    await page.click('text=Change password');
    const rules = page.locator('#rules li');
    const met = () => page.locator('#rules .met').allTextContents();
    expect(await rules.allTextContents()).toContain('at least 8 characters');
    expect(await met()).toEqual([]);
    await page.fill('[name=newPassword]', 'abc1');
    expect(await met()).toEqual(scripted ? ['a small letter', 'a digit'] : []);
    await page.fill('[name=newPassword]', NEW_PASSWORD);
    expect(await met()).toHaveLength(scripted ? await rules.count() : 0);
    await looksGood(page);

    await fill(page, { currentPassword: 'wrong' });
    expect(await alert(page)).toBe('User name, password or company code is wrong.');
    await fill(page, { currentPassword: PASSWORD, newPassword: PASSWORD });
    expect(await alert(page)).toBe('The new password must be another one.');
    await fill(page, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD });
    expect(await title(page)).toBe('Signed-in devices');
  });

  it.skipIf(noBrowser)(`an organization applies with a code that came by mail${skipped}`, async () => {
    const email = `founder@${short}.test`;
    const page = await open('/login/sign-up');
    await fill(page, { email });
    const text = await until('the code', async () => (await mailsTo(server, email)).at(-1)?.text);
    await looksGood(page);
    const application = {
      organizationName: `Kedai ${short}`,
      companyCode: 'ACME',
      givenName: 'Siti',
      familyName: 'Omar',
    };
    await fill(page, { ...application, code: '000000' });
    expect(await alert(page)).toBe('The code is not valid.');
    expect(await page.inputValue('[name=organizationName]')).toBe(`Kedai ${short}`);
    await looksGood(page);
    const code = /\b\d{6}\b/.exec(text)?.[0] ?? '';
    await fill(page, { code });
    expect(await alert(page)).toBe('This company code is taken.');
    await fill(page, { code, companyCode: `KEDAI-${short.toUpperCase()}` });
    expect(await page.textContent('.lead')).toContain(`Kedai ${short} waits for approval`);
    await looksGood(page);
  });

  it.skipIf(noBrowser)(`other devices are signed out, one or all${skipped}`, async () => {
    const { email } = await person('traveller');
    const phones = [];
    for (let count = 0; count < 3; count += 1) phones.push(await logIn(server, email, fixture.companyCode, PASSWORD));
    const page = await loggedIn(email);
    const devices = () => page.locator('.devices li').count();
    await expect.poll(devices).toBe(5); // joining was one more
    await looksGood(page);
    await page.locator('.devices button').first().click();
    expect(await notice(page)).toBe('That device is signed out.');
    await expect.poll(devices).toBe(4);
    await page.waitForLoadState();
    await looksGood(page);
    await page.click('text=Sign out all others');
    await expect.poll(devices).toBe(1);
    for (const { refresh_token } of phones) {
      const body = { client_type: 'mobile', refresh_token };
      expect(await send(server, 'POST', '/api/v1/refresh', { body })).toMatchObject({ status: 401 });
    }
  });
});
