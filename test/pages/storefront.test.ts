import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { screens } from '../support/browsers/browser.ts';
import { looksRight, openDemo, right, shiftsOf, wrongInAll } from '../support/browsers/demo.ts';
import { choose, dayOf, identify, orderFor } from '../support/browsers/shop.ts';
import { newCustomer } from '../support/fixtures/customers.ts';
import { acmeAdmin, ask, day, onSale } from '../support/fixtures/storefront.ts';
import type { Server } from '../support/servers/server-process.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

const LEFT = 9;

let server: Server;
let browser: Browser | undefined;
let lake: string;
let garden: string;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
  const admin = await acmeAdmin(server);
  const names = (bm: string, en: string, cn: string) => ({ groupNameBm: bm, groupNameEn: en, groupNameCn: cn });
  ({ ticketGroupId: lake } = await onSale(server, admin, {
    group: { ...names('Tasik', 'The lake', '湖'), dailyCapacity: LEFT },
  }));
  ({ ticketGroupId: garden } = await onSale(server, admin, {
    group: names('Taman', 'The garden', '花园'),
    variant: { unitPriceSen: 0 },
  }));
  // The storefront of every organization must stay in order, whatever its organizers leave empty.
  const advertise = `mutation ($input: AdvertisingTicketInput!) { createAdvertisingTicket(input: $input) { titleEn } }`;
  for (const advertisementType of ['brandImage', 'coupon', 'editorial', 'typographic']) {
    for (const texts of [
      {},
      { advertiser: ' ', titleEn: ' ', actionButton: ' ', redirectUrl: 'https://example.test' },
    ]) {
      await ask(server, admin, advertise, { input: { advertisementType, ...texts } });
    }
  }
});
afterAll(() => endVisit({ browser }));

const open = (place: string, options?: BrowserContextOptions) => openDemo(browser, server, place, options);

describe.each(Object.entries(screens))('on a %s', (screen, options) => {
  const date = day(screen === 'phone' ? 3 : 4);

  it.skipIf(noBrowser)(
    `a guest orders with a live calendar and total, pays at the bank, and comes back to the tickets${skipped}`,
    async () => {
      const other = await open(`tickets/${lake}`);
      await choose(other, date);
      await dayOf(other, date).getByText(`${LEFT} left`).waitFor();

      const page = await open(`tickets/${lake}`, options);
      await choose(page, date);
      await page.getByRole('button', { name: 'One more: Adult' }).click();
      await page.locator('.total').getByText('RM 90.00').waitFor();
      await identify(page, `${screen}@example.test`);
      expect(await looksRight(page)).toEqual(right);
      expect(await shiftsOf(page)).toEqual([]);
      await page.getByRole('button', { name: 'Order and pay' }).click();

      await page.getByText(/^Held for \d+:\d\d/).waitFor();
      await dayOf(other, date)
        .getByText(`${LEFT - 2} left`)
        .waitFor();
      expect(await shiftsOf(page)).toEqual([]);
      expect(screen === 'phone' ? await wrongInAll(page) : []).toEqual([]);
      await page.getByRole('button', { name: 'Pay RM 90.00 at the bank' }).click();
      await page.locator('button[value=approve]').click();

      await page.getByText('Thank you').waitFor();
      expect(await page.locator('main').textContent()).toMatch(/The lake[^]*RM 90\.00/);
      await page.getByRole('link', { name: 'Back to your order' }).click();
      await page.getByRole('heading', { name: 'Paid' }).waitFor();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download tickets (PDF)' }).click();
      expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
      expect(await shiftsOf(page)).toEqual([]);
      expect(screen === 'phone' ? await wrongInAll(page) : []).toEqual([]);
      expect([...page.problems, ...other.problems]).toEqual([]);
    },
  );
});

describe('an order', () => {
  it.skipIf(noBrowser)(`that the bank refuses is ordered again with the same choice${skipped}`, async () => {
    const page = await open(`tickets/${lake}`);
    await orderFor(page, day(5));
    await page.getByRole('button', { name: /^Pay RM/ }).click();
    await page.locator('button[value=reject]').click();
    await page.getByRole('link', { name: 'Order again' }).click();
    await page.getByRole('heading', { name: 'Not paid' }).waitFor();
    await page.getByRole('button', { name: 'Order again' }).click();
    await page.locator('.total').getByText('RM 45.00').waitFor();
    expect(await page.locator(`[value="${day(5)}"]`).isChecked()).toBe(true);
    expect(await page.inputValue('[name=email]')).toBe('tan@example.test');
    expect(page.problems).toEqual([]);
  });

  it.skipIf(noBrowser)(`counts down the time to pay, and offers no payment after it${skipped}`, async () => {
    const page = await open(`tickets/${lake}`);
    await page.clock.install();
    await page.reload();
    await orderFor(page, day(6));
    await page.getByRole('button', { name: /^Pay RM/ }).waitFor();
    await page.clock.fastForward('24:00:00');
    await page.getByRole('heading', { name: 'Expired' }).waitFor();
    expect(await page.getByRole('button', { name: /^Pay RM/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Order again' }).waitFor();
  });

  it.skipIf(noBrowser)(`of more tickets than are left is refused in the buyer's language${skipped}`, async () => {
    const page = await open(`tickets/${lake}`, { ...screens.phone, locale: 'ms-MY' });
    await choose(page, day(7));
    await page.fill('[name^=count]', String(LEFT + 1));
    await page.getByText('Tiket untuk hari ini tidak mencukupi.').waitFor();
    expect(await page.locator('.total strong').textContent()).toBe('–');
  });

  it.skipIf(noBrowser)(`of free tickets is confirmed at once, without a bank or an amount${skipped}`, async () => {
    const page = await open(`tickets/${garden}`);
    await choose(page, day(3));
    await identify(page, 'free@example.test');
    await page.locator('.total').getByText('Free').waitFor();
    await page.getByRole('button', { name: 'Get free tickets' }).click();
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await page.getByRole('link', { name: 'Download tickets (PDF)' }).waitFor();
    expect(await page.textContent('main')).not.toContain('0.00');
  });

  it.skipIf(noBrowser)(`is found by its number and e-mail, and not by another e-mail${skipped}`, async () => {
    const buyer = await open(`tickets/${garden}`);
    await choose(buyer, day(2));
    await identify(buyer, 'found@example.test');
    await buyer.getByRole('button', { name: 'Get free tickets' }).click();
    await buyer.getByRole('heading', { name: 'Confirmed' }).waitFor();
    const orderNo = (await buyer.textContent('code')) ?? '';

    const page = await open('orders');
    const look = async (email: string) => {
      await page.fill('[name=number]', orderNo);
      await page.fill('[name=lookUpEmail]', email);
      await page.getByRole('button', { name: 'Show the order' }).click();
    };
    await look('other@example.test');
    await page.getByText('No order has this number and e-mail address.').waitFor();
    await look('found@example.test');
    await page.getByRole('heading', { name: 'Confirmed' }).waitFor();
    expect(await page.evaluate('location.hash')).toBe(`#/orders/${orderNo}`);
  });
});

describe('a customer', () => {
  it.skipIf(noBrowser)(
    `signs in by keyboard without losing the choice, and finds the order in every tab until they sign out${skipped}`,
    async () => {
      const customer = await newCustomer(server); // other tests order for the one of the demo data
      const page = await open(`tickets/${lake}`);
      await choose(page, day(8));
      await page.getByRole('link', { name: 'Sign in to keep your orders together' }).press('Enter');
      await page.locator('[name=password]').waitFor(); // the page before has a field for the address, too
      await page.focus('[name=email]');
      await page.keyboard.type(customer.email);
      await page.keyboard.press('Tab');
      await page.keyboard.type(customer.password);
      await page.keyboard.press('Enter');
      await page.getByText('You order as New Customer').waitFor();
      expect(await page.locator(`[value="${day(8)}"]`).isChecked()).toBe(true);
      await page.getByRole('button', { name: 'Order and pay' }).press('Enter');
      await page.getByRole('heading', { name: 'Waiting for payment' }).waitFor();
      const orderNo = (await page.textContent('code')) ?? '';

      const other = await page.context().newPage();
      await other.goto('/demo#/orders');
      await other.locator(`a[href="#/orders/${orderNo}"]`).click();
      await other.getByRole('heading', { name: 'Waiting for payment' }).waitFor();
      await other.goto('/demo#/account');
      await other.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
      expect(page.problems).toEqual([]);
    },
  );
});

describe('the storefront', () => {
  it.skipIf(noBrowser)(`speaks the language of the browser, and then the one that was chosen${skipped}`, async () => {
    const page = await open(`tickets/${lake}`, { ...screens.desktop, locale: 'ms-MY' });
    await page.getByRole('heading', { name: 'Tasik', exact: true }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('ms');
    await page.selectOption('select', 'cn');
    await page.getByRole('heading', { name: '湖', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '湖', exact: true }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('zh-Hans');
    await page.goto('/login');
    expect(await page.getAttribute('html', 'lang')).toBe('zh-Hans');
    await page.getByRole('link', { name: 'English' }).click();
    await page.goto(`/demo#/tickets/${lake}`);
    await page.getByRole('heading', { name: 'The lake', exact: true }).waitFor();
  });

  it.skipIf(noBrowser)(
    `lets the keyboard skip the header, and moves to the top of another view${skipped}`,
    async () => {
      const page = await open('');
      await page.locator('.offer').first().waitFor();
      await page.keyboard.press('Tab');
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN');
      await page.locator('.offer a').first().press('Enter');
      await page.locator('.day').first().waitFor();
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN');
      expect(await page.title()).toBe('Tickets – Foyer');
    },
  );

  it.skipIf(noBrowser)(
    `nothing is wrong in any language, on any screen, in light and dark, and nothing moves by itself${skipped}`,
    async () => {
      const page = await open('', screens.phone);
      for (const [place, sign] of [
        ['', '.offer h3'],
        [`tickets/${lake}`, '.AVAILABLE'],
        ['orders', '[name=number]'],
        ['account', '[name=password]'],
        ['account/new', '[name=fullName]'],
        ['account/forgot', 'form:not(:has([name=password]))'],
        ['studio', '[name=companyCode]'],
      ] as const) {
        await page.goto(`/demo#/${place}`);
        await page.locator(sign).first().waitFor();
        expect({ place, moved: await shiftsOf(page) }).toEqual({ place, moved: [] });
        expect({ place, wrong: await wrongInAll(page) }).toEqual({ place, wrong: [] });
      }
    },
  );
});
