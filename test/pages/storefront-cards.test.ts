import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { failNextPage, openDemo } from '../support/browsers/demo.ts';
import { ACME_WORKSPACE, acmeAdmin, ask, NEW_VARIANT, onSale, variantInput } from '../support/fixtures/storefront.ts';
import type { Server } from '../support/servers/server-process.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

let server: Server;
let browser: Browser | undefined;
/** Other tests advertise, too. */
const title = `Seen ${process.pid}`;
const museum = 'Night at the Museum';
const drawnGroups = [museum, 'Sunset River Cruise', 'Acme Open House'];
const inRail = `Seen in a rail ${process.pid}`;
const inHiddenRail = `Elsewhere ${process.pid}`;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
  const admin = await acmeAdmin(server);
  const advertise = `mutation ($input: AdvertisingTicketInput!) {
    createAdvertisingTicket(input: $input) { advertisingTicketId } }`;
  const assign = `mutation ($railMenuId: ID!, $advertisingTicketId: ID!) {
    assignToRailMenu(railMenuId: $railMenuId, advertisingTicketId: $advertisingTicketId) { advertisingTicketId } }`;
  const newRail = `mutation ($id: ID!, $input: RailMenuInput!) { createRailMenu(workspaceId: $id, input: $input) { railMenuId } }`;
  const groups =
    '{ ticketGroups(filter: { tag: "museum" }, first: 100) { edges { node { groupNameEn image { id } } } } }';
  const { edges } = await ask(server, admin, groups);
  const drawn = (edges as { node: { groupNameEn: string; image?: { id: string } } }[]).find(
    ({ node }) => node.groupNameEn === museum,
  );
  if (!drawn) throw new Error(`there is no ${museum}`);
  const input = { code: `seen-${process.pid}`, nameBm: 'Dilihat', nameEn: 'Seen', nameCn: '看' };
  const { railMenuId } = await ask(server, admin, newRail, { id: ACME_WORKSPACE, input });
  const hidden = { ...input, code: `hidden-${process.pid}`, isActive: false };
  const hiddenRail = await ask(server, admin, newRail, { id: ACME_WORKSPACE, input: hidden });
  const { advertisingTicketId } = await ask(server, admin, advertise, {
    input: {
      advertisementType: 'brandImage',
      titleEn: inRail,
      imageMediaId: drawn.node.image?.id,
    },
  });
  await ask(server, admin, assign, { railMenuId, advertisingTicketId });
  const elsewhere = await ask(server, admin, advertise, {
    input: { advertisementType: 'coupon', titleEn: inHiddenRail },
  });
  await ask(server, admin, assign, { ...elsewhere, railMenuId: hiddenRail.railMenuId });
  await ask(server, admin, advertise, {
    input: {
      advertisementType: 'coupon',
      advertiser: 'A bakery',
      titleEn: title,
      headerEn: 'Show your ticket',
      descEn: 'A bun for each of you.',
      actionButton: 'To the bakery',
      redirectUrl: 'https://bakery.test/',
    },
  });
});
afterAll(() => endVisit({ browser }));

/** The width of the picture in a part of a page, once it is loaded: pictures load when they are seen, and pages move meanwhile. */
const pictureIn = (part: Locator) =>
  expect.poll(async () => {
    const image = part.locator('img').first();
    await image.scrollIntoViewIfNeeded();
    return image.evaluate((seen) => (seen as { naturalWidth?: number }).naturalWidth);
  });

describe('the storefront', () => {
  it.skipIf(noBrowser)(`shows the pictures of ticket groups, in the list and on their pages${skipped}`, async () => {
    const page = await openDemo(browser, server, '');
    for (const name of drawnGroups) {
      const card = page.locator('.offer').filter({ hasText: name }).first();
      await pictureIn(card).toBeGreaterThan(0);
      await card.locator('a').click();
      await page.locator('.day').first().waitFor();
      await pictureIn(page.locator('main')).toBeGreaterThan(0);
      await page.goBack();
    }
    expect(page.problems).toEqual([]);
  });

  it.skipIf(noBrowser)(
    `shows advertising in its rails, with its picture, and what is in no rail among all tickets${skipped}`,
    async () => {
      const page = await openDemo(browser, server, '');
      const shown = page.locator('.line .advertisement').filter({ hasText: inRail });
      await pictureIn(shown).toBeGreaterThan(0);

      const own = page.locator('.cards:not(.line) .advertisement.coupon').filter({ hasText: title });
      await own.getByText('Advertisement · A bakery').waitFor();
      await own.getByText('A bun for each of you.').waitFor();
      const link = own.getByRole('link', { name: 'To the bakery' });
      expect(await link.getAttribute('href')).toBe('https://bakery.test/');
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer sponsored');
      await page.locator('.cards:not(.line) .advertisement').filter({ hasText: inHiddenRail }).waitFor();
      expect(page.problems).toEqual([]);
    },
  );

  it.skipIf(noBrowser)(
    `says from which price on a ticket group is sold, and whether it is free for some${skipped}`,
    async () => {
      const admin = await acmeAdmin(server);
      const texts = {
        free: [0, 'Free'],
        some: [0, 'Free or RM 45.00', 45_00],
        most: [0, 'Free or from RM 20.00', 20_00, 45_00],
        paid: [20_00, 'from RM 20.00', 45_00],
      } as const;
      for (const [word, [unitPriceSen, , ...others]] of Object.entries(texts)) {
        const group = { groupNameEn: `Priced ${word} ${process.pid}`, placement: -1 };
        const { ticketGroupId } = await onSale(server, admin, { group, variant: { unitPriceSen } });
        for (const price of others) {
          const input = variantInput({ variant: `At ${price}`, unitPriceSen: price });
          await ask(server, admin, NEW_VARIANT, { ticketGroupId, itemId: `${ticketGroupId}-${price}`, input });
        }
      }
      const page = await openDemo(browser, server, '');
      for (const [word, [, text]] of Object.entries(texts)) {
        const card = page.locator('.cards:not(.line) .offer').filter({ hasText: `Priced ${word} ${process.pid}` });
        expect(await card.locator('.price').textContent()).toBe(text);
      }
    },
  );

  it.skipIf(noBrowser)(`shows fifty ticket groups, and more when asked${skipped}`, async () => {
    const admin = await acmeAdmin(server);
    const last = `The last of many ${process.pid}`;
    // After those that other tests look for.
    for (let placement = 1_001; placement <= 1_050; placement += 1)
      await onSale(server, admin, { group: { placement } });
    await onSale(server, admin, { group: { groupNameEn: last, placement: 1_051 } });
    const page = await openDemo(browser, server, '');
    const found = page.locator('.cards:not(.line) .offer').filter({ hasText: last });
    const more = page.getByRole('button', { name: 'Show more' });

    await more.waitFor();
    expect(await found.count()).toBe(0);
    await failNextPage(page);
    await more.click();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => page.locator('.cards:not(.line) .offer').count()).toBeGreaterThan(50);
    while (await more.isVisible()) {
      const before = await page.locator('.cards:not(.line) .offer').count();
      await more.click();
      await expect.poll(() => page.locator('.cards:not(.line) .offer').count()).toBeGreaterThan(before);
    }

    await found.waitFor();
    expect(page.problems).toEqual(['Failed to load resource: net::ERR_FAILED']);
  });
});
