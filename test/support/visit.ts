import { lacks, why } from '@foyer/shared/testing/missing';
import type { Browser } from 'playwright-core';

import { openBrowser } from './browsers/browser.ts';
import type { Server } from './servers/server-process.ts';
import { sharedServer } from './servers/shared-server.ts';

/** Whether this machine has no browser, and the suffix of the titles of tests that are skipped for it. */
export const noBrowser = lacks('chromium');
export const skipped = why('chromium');

/** The shared server, and a browser if this machine has one. */
export interface Visit {
  server: Server;
  browser: Browser | undefined;
}

export const beginVisit = async (): Promise<Visit> => ({
  server: await sharedServer(),
  browser: noBrowser ? undefined : await openBrowser(),
});

export const endVisit = async ({ browser }: Partial<Visit>): Promise<void> => browser?.close();
