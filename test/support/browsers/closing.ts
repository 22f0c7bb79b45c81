import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** As much as fits into the line of the report. */
const LONGEST = 400;

/**
 * Closes the window of a page after the test that opened it, so that it takes no time from others. The errors of a test that
 * fails begin with what the page shows. A page that a set-up opens stays.
 */
export function closeAfterTest(page: Page): void {
  if (expect.getState().currentTestName === undefined) return;
  onTestFinished(async ({ task }) => {
    const errors = task.result?.errors ?? [];
    if (errors.length > 0) {
      const shown = await page.innerText('main', { timeout: 5_000 }).catch(String);
      const note = `${page.url()} shows “${shown.replaceAll(/\s+/g, ' ').slice(0, LONGEST)}”`;
      for (const error of errors) {
        error.message = `${note}: ${error.message}`;
        error.stack = `${note}: ${error.stack}`;
      }
    }
    await page.context().close();
  });
}
