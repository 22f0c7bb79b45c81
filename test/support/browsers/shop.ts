import type { Page } from 'playwright-core';

/** A day in the calendar of a ticket group. */
export const dayOf = (page: Page, date: string) => page.locator(`.day:has([value="${date}"])`);

/** Turns to the month of a day: the calendar shows that of today. */
export async function turnTo(page: Page, date: string) {
  await page.locator('.day').first().waitFor();
  if ((await dayOf(page, date).count()) === 0) await page.locator('.turn').last().click();
}

/** Turns to the month of a day, and chooses it. */
export async function choose(page: Page, date: string) {
  await turnTo(page, date);
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

/** More than a page has places to stop at. */
const MOST_STOPS = 400;

/** Presses Tab until the focus is on what has this name, and can be seen there. */
export async function tabTo(page: Page, name: RegExp) {
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    const [label, isSeen] = await page.evaluate<[string, boolean]>(`(() => {
      const at = document.activeElement;
      const outlined = (element) => element && getComputedStyle(element).outlineStyle !== 'none';
      const label = at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent;
      return [label.trim(), [at, at.parentElement, at.closest('.offer')].some(outlined)];
    })()`);
    if (!name.test(label)) continue;
    if (!isSeen) throw new Error(`the focus can not be seen on ${label}`);
    return;
  }
  throw new Error(`Tab does not lead to ${String(name)}`);
}
