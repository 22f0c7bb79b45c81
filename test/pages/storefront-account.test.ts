import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { failNextPage, looksRight, openDemo, right } from '../support/browsers/demo.ts';
import { newAddress, newCustomer, register } from '../support/fixtures/customers.ts';
import { DEMO_PASSWORD, send } from '../support/fixtures/people.ts';
import { acmeAdmin, day, onSale, orderInput } from '../support/fixtures/storefront.ts';
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

  it.skipIf(noBrowser)(`is signed out when their token expires${skipped}`, async () => {
    const page = await open('account');
    await page.clock.install();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const session = JSON.stringify({ custId: 'c', email: 'a@b.test', fullName: 'Nobody', token: 'kept', expiresAt });
    await page.evaluate(`localStorage.setItem('foyer.customer', '${session}')`);
    await page.reload();
    await page.getByRole('link', { name: 'Nobody' }).waitFor();
    await page.clock.fastForward('02:00:00');
    await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.evaluate('localStorage.getItem("foyer.customer")')).toBe(session); // no server has refused it
  });

  it.skipIf(noBrowser)(`finds all of their orders, page by page${skipped}`, async () => {
    const customer = await newCustomer(server);
    const kind = await onSale(server, await acmeAdmin(server), { variant: { unitPriceSen: 0 } });
    for (const offset of [2, 3]) {
      const input = orderInput(kind, customer.custId, { buyerEmail: customer.email, admitDate: day(offset) });
      const body = { ...input, ticketGroupId: Number(kind.ticketGroupId) };
      const { status } = await send(server, 'POST', '/api/orderTicketGroup/free', { headers: customer.headers, body });
      expect(status).toBe(200);
    }
    const page = await open('account');
    await page.fill('[name=email]', customer.email);
    await page.fill('[name=password]', customer.password);
    await page.click('main form button');
    await page.getByRole('link', { name: 'New Customer' }).waitFor();
    await page.route('**/graphql', (route) =>
      // Less than ten, so that two orders are more than a page.
      route.continue({
        postData: (route.request().postData() ?? '').replace('myOrders(first: 10', 'myOrders(first: 1'),
      }),
    );
    await page.goto('/demo#/orders');
    await expect.poll(() => page.locator('.orders li').count()).toBe(1);
    await failNextPage(page);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.locator('.orders li').count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
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
