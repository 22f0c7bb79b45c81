import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { accessibilityViolations, isScrolledSideways, openBrowser, screens } from '../support/browser.ts';
import { closeHouse, openHouse, type House } from '../support/house.ts';
import { mailsTo } from '../support/inbox.ts';
import { lacks, why } from '../support/missing.ts';
import { INTERNAL_PSK, openOffice, PASSWORD, type Office } from '../support/office.ts';
import { DEMO_PASSWORD, send, signIn } from '../support/people.ts';
import { until } from '../support/until.ts';

const noBrowser = lacks('chromium');
const skipped = why('chromium');
const NEW_PASSWORD = 'Fresh-secret-2';

let house: House;
let office: Office;
let browser: Browser | undefined;

beforeAll(async () => {
  house = await openHouse({ LOGIN_FLOOR_MS: '50', INTERNAL_PSK });
  office = await openOffice(house);
  browser = noBrowser ? undefined : await openBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await closeHouse(house);
});

/** A fresh browser window on a page of the house. */
async function open(path: string, options: BrowserContextOptions = screens.desktop): Promise<Page> {
  if (!browser) throw new Error('there is no browser here');
  const context = await browser.newContext({ locale: 'en-GB', ...options, baseURL: house.url });
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

async function fill(page: Page, fields: Record<string, string>) {
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
  await page.click('main form button');
}

const orgadmin = { companyCode: 'ACME', username: 'orgadmin@acme.test', password: DEMO_PASSWORD };
const title = (page: Page) => page.textContent('h1');
const alert = (page: Page) => page.textContent('[role=alert]');

/** The newest link of this kind in the mails to an address. */
async function linkFor(email: string, path: string): Promise<string> {
  const text = await until(`a mail to ${email}`, async () => (await mailsTo(house, email)).at(-1)?.text);
  const found = new RegExp(`${path}\\?token=[\\w-]+`).exec(text)?.[0];
  if (!found) throw new Error(`no link to ${path} in: ${text}`);
  return found;
}

const ways = [
  ['a phone', screens.phone],
  ['a desktop', screens.desktop],
  ['a phone without JavaScript', { ...screens.phone, javaScriptEnabled: false }],
  ['a desktop without JavaScript', { ...screens.desktop, javaScriptEnabled: false }],
] as const;

describe.each(ways)('on %s', (way, options: BrowserContextOptions) => {
  it.skipIf(noBrowser)(`a person signs in, sees the signed-in devices and signs out${skipped}`, async () => {
    const page = await open('/login', options);
    await fill(page, { ...orgadmin, password: 'wrong' });
    expect(await alert(page)).toBe('User name, password or company code is wrong.');
    expect(await page.inputValue('[name=username]')).toBe(orgadmin.username);
    expect(await page.inputValue('[name=password]')).toBe('');

    await fill(page, { password: DEMO_PASSWORD });
    expect(await title(page)).toBe('Signed-in devices');
    expect(await page.textContent('.devices')).toContain('this device');
    expect(await isScrolledSideways(page)).toBe(false);

    await page.click('text=Sign out here');
    expect(await page.textContent('[role=status]')).toBe('You are signed out.');
    await page.goto('/login/devices');
    expect(await title(page)).toBe('Sign in');
  });

  it.skipIf(noBrowser)(`an invited person chooses a password of their own${skipped}`, async () => {
    const email = `${way.replaceAll(' ', '-').toLowerCase()}@acme.test`;
    const admin = await signIn(house, 'orgadmin@acme.test', 'ACME');
    const { status } = await send(house, 'POST', `/api/v1/tenancy/organizations/${acme}/invitations`, {
      headers: admin.headers,
      body: { username: email, email, given_name: 'Mei', family_name: 'Lim' },
    });
    expect(status).toBe(201);
    const link = await linkFor(email, '/auth/magic-link');

    const page = await open(link, options);
    await page.reload(); // as often as a mail scanner likes: looking uses nothing up
    expect(await page.textContent('.lead')).toContain(`Your user name is ${email}`);
    await page.click('main form button');

    expect(await title(page)).toBe('Choose a new password');
    await fill(page, { newPassword: 'password' });
    expect(await alert(page)).toBe('This password is too simple.');
    await fill(page, { newPassword: NEW_PASSWORD });
    expect(await title(page)).toBe('Signed-in devices');

    await page.goto(link);
    expect(await alert(page)).toBe('This link is not valid any more: ask for another invitation.');
  });
});

const acme = '0a0c0000-0000-4000-8000-000000000001';

describe('the login app', () => {
  const pages = ['/login', '/login/forgot', '/login/sign-up', '/reset-password?token=x', '/auth/magic-link?token=x'];

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    it.skipIf(noBrowser).each(Object.entries(screens))(
      `axe finds nothing wrong on a %s${skipped}`,
      async (_name, screen) => {
        const page = await open('/login', { ...screen, colorScheme });
        for (const path of pages) {
          await page.goto(path);
          expect({ path, found: await accessibilityViolations(page) }).toEqual({ path, found: [] });
          expect({ path, sideways: await isScrolledSideways(page) }).toEqual({ path, sideways: false });
        }
        await page.goto('/login');
        await fill(page, { ...orgadmin, password: 'wrong' });
        expect(await accessibilityViolations(page)).toEqual([]);
        await fill(page, { password: DEMO_PASSWORD });
        for (const path of ['/login/devices', '/login/password']) {
          await page.goto(path);
          expect({ path, found: await accessibilityViolations(page) }).toEqual({ path, found: [] });
        }
      },
    );
  });

  it.skipIf(noBrowser)(`is used by keyboard alone${skipped}`, async () => {
    const page = await open('/login');
    for (const value of Object.values(orgadmin)) {
      await page.keyboard.type(value);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Tab'); // past "Show password"
    await page.keyboard.press('Enter');
    await page.waitForURL('**/login/devices');
    expect(await title(page)).toBe('Signed-in devices');
  });

  it.skipIf(noBrowser).each([
    ['bm', 'ms', 'Log masuk'],
    ['en', 'en', 'Sign in'],
    ['cn', 'zh-Hans', '登录'],
  ])(`speaks %s, and remembers it${skipped}`, async (language, tag, words) => {
    const page = await open(`/login?lang=${language}`);
    await page.goto('/login');
    expect(await title(page)).toBe(words);
    expect(await page.getAttribute('html', 'lang')).toBe(tag);
  });

  it.skipIf(noBrowser)(`goes to redirect_uri after the sign-in when its origin is allowed${skipped}`, async () => {
    const page = await open('/login?redirect_uri=/docs/README.md');
    await fill(page, orgadmin);
    expect(new URL(page.url()).pathname).toBe('/docs/README.md');
  });

  it.skipIf(noBrowser)(`stays when redirect_uri leads elsewhere, and says so${skipped}`, async () => {
    const page = await open('/login?redirect_uri=https://evil.example/');
    expect(await page.textContent('[role=status]')).toContain('not known to us');
    await fill(page, orgadmin);
    expect(new URL(page.url()).pathname).toBe('/login/devices');
  });

  it.skipIf(noBrowser)(
    `shows the provider's rules for a password, and checks them as one types${skipped}`,
    async () => {
      const page = await open('/login?redirect_uri=/login/password');
      await fill(page, orgadmin);
      const met = () => page.locator('#rules .met').allTextContents();
      expect(await met()).toEqual([]);
      await page.fill('[name=newPassword]', 'abc1');
      expect(await met()).toEqual(['a small letter', 'a digit']);
      await page.fill('[name=newPassword]', NEW_PASSWORD);
      expect(await met()).toHaveLength(await page.locator('#rules li').count());
    },
  );

  it.skipIf(noBrowser)(`resets a forgotten password by a link in a mail${skipped}`, async () => {
    const { email } = await person('forgetful');
    const page = await open('/login/forgot');
    await fill(page, { companyCode: office.companyCode, email });
    expect(await title(page)).toBe('Look into your inbox');

    await page.goto(await linkFor(email, '/reset-password'));
    await fill(page, { newPassword: NEW_PASSWORD });
    expect(await page.textContent('[role=status]')).toBe('Your new password is set. Sign in with it.');
    await fill(page, { companyCode: office.companyCode, username: email, password: NEW_PASSWORD });
    expect(await title(page)).toBe('Signed-in devices');
  });

  it.skipIf(noBrowser)(`registers an organization with a code that came by mail${skipped}`, async () => {
    const email = 'founder@kedai.test';
    const page = await open('/login/sign-up');
    await fill(page, { email });
    const text = await until('the code', async () => (await mailsTo(house, email)).at(-1)?.text);
    const application = { organizationName: 'Kedai', companyCode: 'KEDAI', givenName: 'Siti', familyName: 'Omar' };
    await fill(page, { ...application, code: '000000' });
    expect(await alert(page)).toBe('The code is not valid.');
    expect(await page.inputValue('[name=organizationName]')).toBe('Kedai');
    await fill(page, { code: /\b\d{6}\b/.exec(text)?.[0] ?? '' });
    expect(await page.textContent('.lead')).toContain('Kedai waits for approval');
  });

  it.skipIf(noBrowser)(`signs other devices out, one or all${skipped}`, async () => {
    const { email } = await person('traveller');
    const phones = [];
    for (let count = 0; count < 3; count += 1) phones.push(await signIn(house, email, office.companyCode, PASSWORD));
    const page = await open('/login');
    await fill(page, { companyCode: office.companyCode, username: email, password: PASSWORD });
    await page.click('.devices button');
    expect(await page.textContent('[role=status]')).toBe('That device is signed out.');
    await page.click('text=Sign out all others');
    expect(await page.locator('.devices li').count()).toBe(1);
    for (const { refresh_token } of phones) {
      const body = { client_type: 'mobile', refresh_token };
      expect(await send(house, 'POST', '/api/v1/refresh', { body })).toMatchObject({ status: 401 });
    }
  });

  it.skipIf(noBrowser)(`says why somebody may not come in, and how long to wait${skipped}`, async () => {
    const { email, id } = await person('blocked');
    const page = await open('/login');
    const form = { companyCode: office.companyCode, username: email, password: PASSWORD };
    const { status } = await office.ask(office.admin, 'PATCH', `/users/${id}/status`, { status: 'disabled' });
    expect(status).toBe(200);
    await fill(page, form);
    expect(await alert(page)).toBe('Your account is disabled. Ask your administrator.');

    await until('too many tries', async () => {
      await fill(page, { ...form, password: 'wrong' });
      return /Too many tries\. Try again in \d+ minutes?\./.test((await alert(page)) ?? '');
    });
  });

  it('runs no script but its own file, and lets no other page frame it', async () => {
    const { headers } = await send(house, 'GET', '/login');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it("does not take another site's form", async () => {
    const response = await fetch(`${house.url}/login`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams(orgadmin),
    });
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

/** One more person of the office, with the password of the office. */
async function person(name: string) {
  const { id } = await office.join(name);
  return { id, email: `${name}@${office.companyCode.toLowerCase()}.test` };
}
