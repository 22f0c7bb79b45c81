import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openDemo, wrongInAll, type DemoPage } from '../support/browsers/demo.ts';
import { choose, dayOf, identify, orderFor, turnTo } from '../support/browsers/shop.ts';
import { acmeAdmin, day, onSale } from '../support/fixtures/storefront.ts';
import type { Server } from '../support/servers/server-process.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

const LEFT = 6;

let server: Server;
let browser: Browser | undefined;
let boats: string;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
  const group = { groupNameEn: 'The boats', dailyCapacity: LEFT };
  ({ ticketGroupId: boats } = await onSale(server, await acmeAdmin(server), { group }));
});
afterAll(() => endVisit({ browser }));

/** As in docs/errors.md. */
const BUSY = {
  data: null,
  errors: [
    { message: 'Try again.', extensions: { code: 'UPSTREAM_UNAVAILABLE', reason: 'DATABASE_BUSY', retryAfter: 1 } },
  ],
};

/** Of a gateway whose subgraph hung up. */
const LOST = {
  data: null,
  errors: [
    {
      message: 'A part of the platform can not be reached.',
      extensions: { code: 'UPSTREAM_UNAVAILABLE', reason: 'SUBGRAPH_UNAVAILABLE', outcome: 'UNKNOWN' },
    },
  ],
};

const open = () => openDemo(browser, server, `tickets/${boats}`);

/** Orders, goes to the bank, and chooses there. */
async function decideAtTheBank(page: DemoPage, date: string, choice: string) {
  await orderFor(page, date);
  await page.getByRole('button', { name: /^Pay RM/ }).click();
  await page.locator(`button[value=${choice}]`).click();
}

describe('an order in the shop', () => {
  it.skipIf(noBrowser)(
    `that the buyer cancels before paying gives its places back, and can be ordered again${skipped}`,
    async () => {
      const page = await open();
      await orderFor(page, day(5));
      const cancel = page.getByRole('button', { name: 'Cancel order' });
      page.once('dialog', (dialog) => void dialog.dismiss());
      await cancel.click();
      page.once('dialog', (dialog) => void dialog.accept());
      await cancel.click();
      await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
      expect(await wrongInAll(page)).toEqual([]);
      await page.getByRole('button', { name: 'Order again' }).click();
      await dayOf(page, day(5)).getByText(`${LEFT} left`).waitFor();
      expect(page.problems).toEqual([]);
    },
    60_000,
  );

  it.skipIf(noBrowser)(`is placed when the server is busy only for a moment${skipped}`, async () => {
    const page = await open();
    let refused = 0;
    await page.route('**/graphql', (route) => {
      if (refused >= 2 || !route.request().postData()?.includes('createOrder')) return route.fallback();
      refused += 1;
      return route.fulfill({
        status: 503,
        contentType: 'application/graphql-response+json',
        body: JSON.stringify(BUSY),
      });
    });
    await orderFor(page, day(6));
    expect(refused).toBe(2);
  });

  it.skipIf(noBrowser)(
    `is placed once when its answer was lost, though the page is loaded again and the button pressed again${skipped}`,
    async () => {
      const page = await open();
      let lost = 0;
      await page.route('**/graphql', async (route) => {
        if (lost > 0 || !route.request().postData()?.includes('createOrder')) return route.fallback();
        lost += 1;
        await route.fetch();
        return route.fulfill({ contentType: 'application/graphql-response+json', body: JSON.stringify(LOST) });
      });
      await choose(page, day(2));
      await identify(page, 'lost@example.test');
      const press = () => page.getByRole('button', { name: 'Order and pay' }).click();
      await press();
      await page.getByText('We do not know yet whether your order was placed.').waitFor();
      await page.selectOption('select', 'cn');
      await page.getByText('尚不确定订单是否成功').waitFor();
      await page.selectOption('select', 'en');

      await page.reload();
      await press();
      await page.getByRole('heading', { name: 'Waiting for payment' }).waitFor();

      expect(lost).toBe(1);
      await page.goto(`/demo#/tickets/${boats}`);
      await turnTo(page, day(2));
      await dayOf(page, day(2))
        .getByText(`${LEFT - 1} left`)
        .waitFor();
    },
  );

  it.skipIf(noBrowser)(
    `that is paid in another tab is shown as paid, with its tickets, without loading the page again${skipped}`,
    async () => {
      const page = await open();
      await orderFor(page, day(7));
      await page.evaluate('window.isTheSame = true');

      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.getByLabel('E-mail address').fill('tan@example.test');
      await other.getByRole('button', { name: 'Show the order' }).click();
      await other.getByRole('button', { name: /^Pay RM/ }).click();
      await page.getByRole('heading', { name: 'Waiting for the bank' }).waitFor();
      await other.locator('button[value=approve]').click();

      await page.getByRole('heading', { name: 'Paid' }).waitFor();
      await page.getByRole('link', { name: 'Download tickets (PDF)' }).waitFor();
      expect(await page.evaluate('window.isTheSame')).toBe(true);
      expect(page.problems).toEqual([]);
    },
  );

  it.skipIf(noBrowser)(
    `that the buyer cancels at the bank gives its places back, and can be ordered again${skipped}`,
    async () => {
      const page = await open();
      await decideAtTheBank(page, day(3), 'cancel');
      await page.getByRole('link', { name: 'Order again' }).click();
      await page.getByRole('heading', { name: 'Not paid' }).waitFor();
      await page.getByRole('button', { name: 'Order again' }).click();
      await dayOf(page, day(3)).getByText(`${LEFT} left`).waitFor();
      expect(page.problems).toEqual([]);
    },
  );

  it.skipIf(noBrowser)(
    `whose payment is pending is retried from the shop, and again from the page of the bank's answer${skipped}`,
    async () => {
      const page = await open();
      await decideAtTheBank(page, day(4), 'pending');
      await page.getByRole('link', { name: 'Back to your order' }).click();
      await page.getByRole('heading', { name: 'Waiting for the bank' }).waitFor();
      expect(await wrongInAll(page)).toEqual([]);
      await page.getByRole('button', { name: 'Open the bank again' }).click();
      await page.locator('button[value=pending]').click();

      await page.getByRole('heading', { name: 'Waiting for your bank' }).waitFor();
      await page.locator('main form button').click();
      await page.locator('button[value=approve]').click();
      await page.getByText('Thank you').waitFor();
      await page.getByRole('link', { name: 'Back to your order' }).click();
      await page.getByRole('heading', { name: 'Paid' }).waitFor();
      expect(page.problems).toEqual([]);
    },
  );
});
