import type { Browser } from 'playwright-core';

import { openBrowser } from './browser.ts';
import { closeHouse, openHouse, type House } from './house.ts';
import { lacks, why } from './missing.ts';

/** Whether nobody can look at pages on this machine; what follows the names of tests that are skipped for it says why. */
export const noBrowser = lacks('chromium');
export const skipped = why('chromium');

/** A house, and a browser to look at it, where this machine has one. */
export interface Visit {
  house: House;
  browser: Browser | undefined;
}

export async function beginVisit(env: Record<string, string> = {}): Promise<Visit> {
  const house = await openHouse({ LOGIN_FLOOR_MS: '50', ...env });
  return { house, browser: noBrowser ? undefined : await openBrowser() };
}

export async function endVisit({ house, browser }: Partial<Visit>): Promise<void> {
  await browser?.close();
  await closeHouse(house);
}
