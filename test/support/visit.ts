import type { Browser } from 'playwright-core';

import { openBrowser } from './browser.ts';
import { closeHouse, openHouse, type House, type Server } from './house.ts';
import { lacks, why } from './missing.ts';
import { sharedServer } from './shared-server.ts';

/** Whether nobody can look at pages on this machine; what follows the names of tests that are skipped for it says why. */
export const noBrowser = lacks('chromium');
export const skipped = why('chromium');

/** A server, and a browser to look at it, where this machine has one. */
export interface Visit {
  house: Server;
  browser: Browser | undefined;
  /** Where the server is none that others share. */
  own?: House;
}

/** @param env what the server must be told; without, it is the shared one */
export async function beginVisit(env?: Record<string, string>): Promise<Visit> {
  const browser = noBrowser ? undefined : await openBrowser();
  if (!env) return { house: await sharedServer(), browser };
  const own = await openHouse({ LOGIN_FLOOR_MS: '50', ...env });
  return { house: own, own, browser };
}

export async function endVisit({ own, browser }: Partial<Visit>): Promise<void> {
  await browser?.close();
  await closeHouse(own);
}
