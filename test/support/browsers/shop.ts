import type { Page } from 'playwright-core';

/** A day in the calendar of a ticket group. */
export const dayOf = (page: Page, date: string) => page.locator(`.day:has([value="${date}"])`);

/** Turns to the month of a day, and chooses it. */
export async function choose(page: Page, date: string) {
  await page.locator('.day').first().waitFor();
  if ((await dayOf(page, date).count()) === 0) await page.locator('.turn').last().click();
  await dayOf(page, date).and(page.locator('.AVAILABLE')).click();
}

/** Types who buys, as a guest. */
export async function identify(page: Page, email: string) {
  await page.fill('[name=email]', email);
  await page.fill('[name=fullName]', 'Guest Tan');
}

/** Orders tickets for a day as a guest, and waits for the page of the order. */
export async function orderFor(page: Page, date: string, email = 'tan@example.test') {
  await choose(page, date);
  await identify(page, email);
  await page.getByRole('button', { name: 'Order and pay' }).click();
  await page.getByRole('heading', { name: 'Waiting for payment' }).waitFor();
}
