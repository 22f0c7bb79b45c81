import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fill, good, looks, openPage, screens, ways } from '../support/browsers/browser.ts';
import type { Server } from '../support/servers/server-process.ts';
import { DEMO_PASSWORD, send } from '../support/fixtures/people.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

let server: Server;
let browser: Browser | undefined;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
});
afterAll(() => endVisit({ browser }));

const open = (path: string, options?: BrowserContextOptions) => openPage(browser, server, path, options);
const orgadmin = { companyCode: 'ACME', username: 'orgadmin@acme.test', password: DEMO_PASSWORD };
const title = (page: Page) => page.textContent('h1');
const alert = (page: Page) => page.textContent('[role=alert]');

describe.each(ways)('on %s', (way, options: BrowserContextOptions) => {
  it.skipIf(noBrowser)(`a person logs in, sees their devices and logs out${skipped}`, async () => {
    const page = await open('/login', options);
    await fill(page, { ...orgadmin, password: 'wrong' });
    expect(await alert(page)).toBe('User name, password or company code is wrong.');
    expect(await page.inputValue('[name=username]')).toBe(orgadmin.username);
    expect(await page.inputValue('[name=password]')).toBe('');

    await fill(page, { password: DEMO_PASSWORD });
    expect(await title(page)).toBe('Signed-in devices');
    expect(await page.textContent('.devices')).toContain('this device');
    expect(await looks(page, options)).toEqual(good);

    await page.click('text=Sign out here');
    expect(await page.textContent('[role=status]')).toBe('You are signed out.');
    await page.goto('/login/devices');
    expect(await title(page)).toBe('Sign in');
  });

  it.skipIf(noBrowser)(`redirect_uri is followed after the login when its origin is allowed${skipped}`, async () => {
    const page = await open(`/login?redirect_uri=${server.url}/docs/README.md`, options);
    await fill(page, { ...orgadmin, password: 'wrong' });
    await fill(page, { password: DEMO_PASSWORD });
    await page.waitForURL('**/docs/README.md');
    expect(await title(page)).toBe('Foyer');
  });

  it.skipIf(noBrowser)(`redirect_uri is not followed to another origin, and the page says so${skipped}`, async () => {
    const page = await open('/login?redirect_uri=https://evil.example/', options);
    expect(await page.textContent('[role=status]')).toContain('not known to us');
    expect(await looks(page, options)).toEqual(good);
    await fill(page, orgadmin);
    await page.waitForURL('**/login/devices');
    expect(await title(page)).toBe('Signed-in devices');
  });

  it.skipIf(noBrowser).each([
    ['bm', 'ms', 'Log masuk', 'Nama pengguna, kata laluan atau kod syarikat salah.'],
    ['en', 'en', 'Sign in', 'User name, password or company code is wrong.'],
    ['cn', 'zh-Hans', '登录', '用户名、密码或公司代码有误。'],
  ])(`it speaks %s, and remembers it${skipped}`, async (language, tag, words, refusal) => {
    const page = await open(`/login?lang=${language}`, options);
    await page.goto('/login');
    expect(await title(page)).toBe(words);
    expect(await page.getAttribute('html', 'lang')).toBe(tag);
    await fill(page, { ...orgadmin, username: `nobody on ${way}`, password: language });
    expect(await alert(page)).toBe(refusal);
    expect(await looks(page, options)).toEqual(good);
  });
});

describe('the login app', () => {
  const pages = ['/login', '/login/forgot', '/login/sign-up', '/reset-password?token=x', '/auth/magic-link?token=x'];
  const inside = ['/login/devices', '/login/password', '/login/password?first=1'];

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    it.skipIf(noBrowser).each(Object.entries(screens))(
      `axe finds nothing wrong on a %s${skipped}`,
      async (_name, screen) => {
        const page = await open('/login', { ...screen, colorScheme });
        for (const path of pages) {
          await page.goto(path);
          expect({ path, ...(await looks(page)) }).toEqual({ path, ...good });
        }
        await page.goto('/login');
        await fill(page, { ...orgadmin, password: 'wrong' });
        expect(await looks(page)).toEqual(good);
        await fill(page, { password: DEMO_PASSWORD });
        for (const path of inside) {
          await page.goto(path);
          expect({ path, ...(await looks(page)) }).toEqual({ path, ...good });
        }
      },
    );
  });

  it.skipIf(noBrowser)(`is used by keyboard alone, from the first field to the button${skipped}`, async () => {
    const page = await open('/login');
    await page.locator('[name=companyCode]:focus').waitFor();
    for (const value of Object.values(orgadmin)) {
      await page.keyboard.type(value);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Tab'); // past "Show password"
    await page.keyboard.press('Enter');
    await page.waitForURL('**/login/devices');
    expect(await title(page)).toBe('Signed-in devices');

    await page.keyboard.press('Tab');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  });

  it.skipIf(noBrowser)(`works at any address of the server, not only at PUBLIC_URL${skipped}`, async () => {
    for (const host of ['localhost', '127.0.0.1']) {
      const url = `http://${host}:${new URL(server.url).port}`;
      const page = await openPage(browser, { url }, '/login/devices');
      await fill(page, orgadmin);
      expect([page.url(), await title(page)]).toEqual([`${url}/login/devices`, 'Signed-in devices']);
    }
  });

  it.skipIf(noBrowser)(`has no animation for users who prefer reduced motion${skipped}`, async () => {
    const page = await open('/login', { ...screens.desktop, reducedMotion: 'reduce' });
    const moving = `[...document.querySelectorAll('*')].filter((element) => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
      return transitionDuration !== '0s' || animationName !== 'none' || scrollBehavior !== 'auto';
    }).length`;
    expect(await page.evaluate(moving)).toBe(0);
  });

  it('runs only its own script, and can not be framed', async () => {
    const { headers } = await send(server, 'GET', '/login');
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('refuses a form of another site', async () => {
    const response = await fetch(`${server.url}/login`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams(orgadmin),
    });
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});
