import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { screens } from '../support/browsers/browser.ts';
import { openDemo, wrongInAll } from '../support/browsers/demo.ts';
import { choose, dayOf, tabTo, turnTo } from '../support/browsers/shop.ts';
import { acmeAdmin, aGuest, day, onSale, order, orderInput, weekday } from '../support/fixtures/storefront.ts';
import type { Json } from '../support/json.ts';
import type { Server } from '../support/servers/server-process.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

let server: Server;
let browser: Browser | undefined;
let hill: string;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
  const group = { groupNameEn: 'The hill', dailyCapacity: 9 };
  ({ ticketGroupId: hill } = await onSale(server, await acmeAdmin(server), { group }));
});
afterAll(() => endVisit({ browser }));

const open = (place: string, options?: BrowserContextOptions) => openDemo(browser, server, place, options);

describe('an order', () => {
  it.skipIf(noBrowser)(`is placed, paid and fetched by keyboard alone${skipped}`, async () => {
    const page = await open('');
    const { keyboard } = page;
    await page.locator('.offer').first().waitFor();
    await tabTo(page, /^Choose: /);
    await keyboard.press('Enter');
    await page.waitForURL('**#/tickets/*');
    // The list shows fifty groups, and others sell here, too.
    await page.goto(`${server.url}/demo#/tickets/${hill}`);
    await page.getByRole('heading', { name: 'The hill' }).waitFor();
    await turnTo(page, day(1)); // sales for today may have ended
    await page.locator('.day.AVAILABLE').first().waitFor();
    await tabTo(page, /: \d left/);
    await keyboard.press('Space');
    await tabTo(page, /^One more: Adult$/);
    await keyboard.press('Enter');
    await tabTo(page, /^E-mail address$/);
    await keyboard.type('keys@example.test');
    await tabTo(page, /^Your name$/);
    await keyboard.type('Guest Tan');
    await page.locator('.total').getByText('RM 90.00').waitFor();
    await tabTo(page, /^Order and pay$/);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Waiting for payment' }).waitFor();
    await tabTo(page, /^Pay RM 90\.00 at the bank$/);
    await keyboard.press('Enter');
    await page.locator('button[value=approve]').waitFor();
    await tabTo(page, /^Approve$/);
    await keyboard.press('Enter');
    await page.getByText('Thank you').waitFor();
    await tabTo(page, /^Back to your order$/);
    await keyboard.press('Enter');
    await page.getByRole('link', { name: 'Download tickets (PDF)' }).waitFor();
    await tabTo(page, /^Download tickets \(PDF\)$/);
    const download = page.waitForEvent('download');
    await keyboard.press('Enter');
    expect((await download).suggestedFilename()).toMatch(/\.pdf$/);
  });

  it.skipIf(noBrowser)(`is priced once a day and a ticket are chosen, and not before${skipped}`, async () => {
    const page = await open(`tickets/${hill}`);
    const asked: { admitDate: string; items: unknown[] }[] = [];
    page.on('request', (request) => {
      const { operationName, variables } = (request.postDataJSON() ?? {}) as Record<string, Json>;
      if (operationName === 'Quote') asked.push(variables.input);
    });
    const total = page.locator('.total');
    await choose(page, day(6));
    await total.getByText('RM 45.00').waitFor();
    await page.getByRole('button', { name: 'One fewer: Adult' }).click();
    await total.getByText('Choose a day and at least one ticket.').waitFor();
    await page.getByRole('button', { name: 'One more: Adult' }).click();
    await total.getByText('RM 45.00').waitFor();

    expect(asked.filter(({ admitDate, items }) => admitDate === '' || items.length === 0)).toEqual([]);
    expect(page.problems).toEqual([]);
  });

  it.skipIf(noBrowser)(
    `shows the days that are closed or sold out, of which none can be chosen${skipped}`,
    async () => {
      const [closed, full] = [day(9), day(10)];
      const admin = await acmeAdmin(server);
      const sold = await onSale(server, admin, { group: { dailyCapacity: 1, closedWeekdays: [weekday(closed)] } });
      const custId = await aGuest(server);
      expect((await order(server, orderInput(sold, custId, { admitDate: full }))).status).toBe(200);
      const page = await open(`tickets/${sold.ticketGroupId}`);
      for (const [date, status, said] of [
        [closed, 'CLOSED', 'closed'],
        [full, 'SOLD_OUT', 'sold out'],
      ] as const) {
        await turnTo(page, date);
        const shown = dayOf(page, date).and(page.locator(`.${status}`));
        expect(await shown.textContent()).toContain(`: ${said}`);
        expect(await shown.locator('input').isDisabled()).toBe(true);
      }
      expect(page.problems).toEqual([]);
    },
  );

  it.skipIf(noBrowser)(
    `says beside each field what is missing or wrong, in the language of the page${skipped}`,
    async () => {
      const page = await open(`tickets/${hill}`, { ...screens.phone, locale: 'ms-MY' });
      const press = () => page.getByRole('button', { name: 'Pesan dan bayar' }).click();
      const said = async () => (await page.locator('.wrong').allTextContents()).map((text) => text.trim());
      await turnTo(page, day(7));
      await page.locator('.day.AVAILABLE').first().waitFor(); // or there is none on which the focus could be
      await page.fill('[name^=count]', '0');
      await press();
      const missing = 'Sila isi ruangan ini.';
      expect(await said()).toEqual(['Pilih satu hari.', 'Pilih sekurang-kurangnya satu tiket.', missing, missing]);
      expect(await page.evaluate('document.activeElement.name')).toBe('admitDate');
      expect(await wrongInAll(page)).toEqual([]);
      await page.selectOption('header select', 'bm');

      await choose(page, day(7));
      await page.getByRole('button', { name: 'Tambah satu: Dewasa' }).click();
      await page.fill('[name=email]', 'siti');
      await page.fill('[name=fullName]', 'Siti');
      await press();
      expect(await said()).toEqual(['Sila semak alamat e-mel, contohnya nama@example.com.']);
      expect(await page.evaluate('document.activeElement.name')).toBe('email');
      await page.fill('[name=email]', 'siti@example.test');
      expect(await said()).toEqual([]);

      await page.fill('[name=email]', 'siti@localhost');
      await press();
      await expect.poll(said).toEqual(['Sila semak alamat e-mel.']);
      expect(await page.getAttribute('[name=email]', 'aria-invalid')).toBe('true');
    },
  );
});
