import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { payAtTheBank, placeOrder } from '../support/servers/bank.ts';
import {
  good,
  isScrolledSideways,
  looks,
  screens,
  violationsInBothSchemes,
  ways,
} from '../support/browsers/browser.ts';
import type { Server } from '../support/servers/server-process.ts';
import { send, logInCustomer } from '../support/fixtures/people.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

let server: Server;
let customer: Awaited<ReturnType<typeof logInCustomer>>;
let browser: Browser | undefined;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
  customer = await logInCustomer(server);
});
afterAll(() => endVisit({ browser }));

/** A fresh browser window. */
async function open(options: BrowserContextOptions): Promise<Page> {
  if (!browser) throw new Error('there is no browser here');
  return (await browser.newContext({ ...options, baseURL: server.url })).newPage();
}

/** The form of a shop. */
async function sendForm(page: Page, orderNo: string) {
  await page.setContent(
    `<form method="post" action="${server.url}/payment/process"><input name="orderNo" value="${orderNo}"><button>Pay</button></form>`,
  );
  await page.click('button');
}

/** Goes from the form of a shop to the page of the bank: by itself, or without JavaScript by a button. */
async function goToTheBank(page: Page, orderNo: string, options: BrowserContextOptions) {
  await sendForm(page, orderNo);
  if (options.javaScriptEnabled === false) await page.click('#payment button');
  await page.waitForURL('**/sim/bank/**');
}

const verdict = (page: Page) => page.textContent('.verdict');
describe.each(ways)('on %s', (_way, options: BrowserContextOptions) => {
  it.skipIf(noBrowser)(`an order is paid at the bank, and the page says so${skipped}`, async () => {
    const { orderNo } = await placeOrder(server, customer);
    const page = await open(options);
    await goToTheBank(page, orderNo, options);
    expect(await looks(page, options)).toEqual(good);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL('**/payment/success**');
    expect(await verdict(page)).toBe('Paid');
    expect(await page.getAttribute('main a', 'href')).toBe(`/pdf/receipt?orderNo=${orderNo}`);
    expect(await looks(page, options)).toEqual(good);
  });

  it.skipIf(noBrowser)(
    `a payment that the bank refuses is shown as such, whatever the query string claims${skipped}`,
    async () => {
      const { orderNo } = await placeOrder(server, customer);
      const page = await open(options);
      await goToTheBank(page, orderNo, options);
      await page.getByRole('button', { name: 'Reject' }).click();
      await page.waitForURL('**/payment/failure**');
      expect(await looks(page, options)).toEqual(good);
      await page.goto(`/payment/success?orderNo=${orderNo}&status=SUCCESS`);
      expect(await verdict(page)).toBe('Failed');
    },
  );

  it.skipIf(noBrowser)(`a page that waits for the bank shows the result when it comes${skipped}`, async () => {
    const { orderNo } = await placeOrder(server, customer);
    const page = await open(options);
    await goToTheBank(page, orderNo, options);
    await page.getByRole('button', { name: 'Pending', exact: true }).click();
    await page.waitForURL('**/payment/success**');
    expect(await page.textContent('h1')).toBe('Waiting for your bank');
    expect(await looks(page, options)).toEqual(good);

    const { status } = await send(server, 'POST', '/sim/bank/decide', { body: { orderNo, outcome: 'callback-only' } });
    expect(status).toBe(200);
    await page.locator('.verdict.SUCCESS').waitFor();
    expect(await page.textContent('h1')).toBe('Thank you');
  });
});

describe.each(ways)('on %s without a known order', (_way, options: BrowserContextOptions) => {
  it.skipIf(noBrowser)(`an unknown order is explained in three languages${skipped}`, async () => {
    const page = await open(options);
    await page.goto('/payment/success?orderNo=NOBODY&status=SUCCESS');
    expect(await page.locator('h1').allTextContents()).toEqual(['Bayaran', 'Payment', '付款']);
    expect(await page.locator('.verdict').count()).toBe(0);
    expect(await looks(page, options)).toEqual(good);
  });

  it.skipIf(noBrowser).each([
    ['BM', 'ms', 'Terima kasih', 'Pesanan ini tidak boleh dibayar lagi.'],
    ['CN', 'zh-Hans', '谢谢', '此订单不能再付款。'],
  ])(`an order in %s is not paid twice${skipped}`, async (langChosen, lang, thanks, refused) => {
    const { orderNo } = await placeOrder(server, customer, { langChosen });
    const page = await open(options);
    await goToTheBank(page, orderNo, options);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL('**/payment/success**');
    expect(await page.textContent('h1')).toBe(thanks);
    expect(await page.getAttribute('html', 'lang')).toBe(lang);

    const again = await open(options);
    await sendForm(again, orderNo);
    await again.waitForURL('**/payment/process');
    expect(await again.textContent('.lead')).toBe(refused);
    expect(await looks(again, options)).toEqual(good);
  });
});

describe('the page of an order', () => {
  it.skipIf(noBrowser).each([
    ['that waits for its payment', 'EN', '', 'Pay now'],
    ['that the bank has not decided', 'BM', 'pending', 'Buka bank sekali lagi'],
    ['that is paid', 'CN', 'approve', undefined],
    ['that the bank refuses', 'CN', 'reject', undefined],
    ['whose payment staff must review', 'EN', 'wrong-amount', undefined],
  ])(`%s looks right on every screen, in light and dark${skipped}`, async (_state, langChosen, outcome, pay) => {
    const { orderNo } = await placeOrder(server, customer, { langChosen });
    const page = await open(screens.desktop);
    if (outcome) await payAtTheBank(server, orderNo, outcome);
    await page.goto(`/payment/success?orderNo=${orderNo}`);
    expect(await page.evaluate('document.contentType')).toBe('text/html');
    expect(await page.locator('main form button').allTextContents()).toEqual(pay ? [pay] : []);
    for (const { viewport } of Object.values(screens)) {
      await page.setViewportSize(viewport);
      expect({ viewport, violations: await violationsInBothSchemes(page) }).toEqual({ viewport, violations: [] });
      expect(await isScrolledSideways(page)).toBe(false);
    }
    await page.context().close();
  });

  it.skipIf(noBrowser)(`that waits for the bank shows that staff must review the payment${skipped}`, async () => {
    const { orderNo } = await placeOrder(server, customer);
    await payAtTheBank(server, orderNo, 'pending');
    const page = await open(screens.desktop);
    await page.goto(`/payment/success?orderNo=${orderNo}`);
    await page.getByRole('heading', { name: 'Waiting for your bank' }).waitFor();

    await payAtTheBank(server, orderNo, 'wrong-amount');

    await expect.poll(() => page.locator('main form button').count()).toBe(0); // nobody is to pay again
    await page.context().close();
  });
});

describe.each(Object.entries(screens))('on a %s', (_name, screen) => {
  it.skipIf(noBrowser).each(['/', '/sim/bank/'])(`%s looks right, in light and dark${skipped}`, async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open({ ...screen, colorScheme });
      await page.goto(path);
      expect({ colorScheme, ...(await looks(page)) }).toEqual({ colorScheme, ...good });
    }
  });
});
