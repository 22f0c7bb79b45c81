import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { looksRight, openDemo, right } from '../support/browsers/demo.ts';
import { newAddress, register } from '../support/fixtures/customers.ts';
import { DEMO_PASSWORD } from '../support/fixtures/people.ts';
import { linkFor } from '../support/servers/inbox.ts';
import type { Server } from '../support/servers/server-process.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

let server: Server;
let browser: Browser | undefined;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
});
afterAll(() => endVisit({ browser }));

const open = (place: string) => openDemo(browser, server, place);

describe('a customer', () => {
  it.skipIf(noBrowser)(`whose token is no longer valid is signed out, and the shop goes on${skipped}`, async () => {
    const page = await open('');
    const session = { custId: 'c', email: 'a@b.test', fullName: 'Nobody', token: 'forged' };
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    await page.evaluate(`localStorage.setItem('foyer.customer', '${JSON.stringify({ ...session, expiresAt })}')`);
    await page.reload();
    await page.locator('.offer').first().waitFor();
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.evaluate('localStorage.getItem("foyer.customer")')).toBeNull();
  });

  it.skipIf(noBrowser)(`signs up in the shop, and is told to look for the mail${skipped}`, async () => {
    const page = await open('account/new');
    await page.fill('[name=fullName]', 'New Tan');
    await page.fill('[name=email]', 'new-tan@example.test');
    await page.fill('[name=password]', 'simple');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByText('This password is too simple.').waitFor();
    await page.fill('[name=password]', DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByText('We have sent a mail to new-tan@example.test').waitFor();
    expect(await looksRight(page)).toEqual(right);
  });

  it.skipIf(noBrowser)(
    `is led back to the shop by the page behind the mail of a sign-up, and signs in there${skipped}`,
    async () => {
      const email = newAddress();
      await register(server, email);
      const page = await open('account');
      await page.goto(new URL(await linkFor(server, email, '/account/verify'), server.url).href);
      await page.fill('[name=newPassword]', DEMO_PASSWORD);
      await page.click('main form button');
      await page.getByRole('link', { name: 'Sign in to the shop' }).click();
      await page.fill('[name=email]', email);
      await page.fill('[name=password]', DEMO_PASSWORD);
      await page.click('main form button');
      await page.getByRole('link', { name: 'New Customer' }).waitFor();
      expect(page.problems).toEqual([]);
    },
  );
});
