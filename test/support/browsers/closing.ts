import type { Browser, BrowserContext } from 'playwright-core';
import { onTestFinished, TestRunner } from 'vitest';

/** As much as fits into the line of the report. */
const LONGEST = 400;
/** As long as tests wait for anything. */
const TIMEOUT_MS = 60_000;

/**
 * Closes each window of a browser after the test that opened it, so that it takes no time from others; those that a set-up opens
 * stay. The errors of a test that fails begin with what its windows show.
 */
export function closeAfterTests(browser: Browser): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(TIMEOUT_MS);
    if (TestRunner.getCurrentTest() === undefined) return context;
    onTestFinished(async ({ task }) => {
      const errors = task.result?.errors ?? [];
      if (errors.length > 0) {
        const note = await shownIn(context);
        for (const error of errors) {
          error.message = `${note}: ${error.message}`;
          error.stack = `${note}: ${error.stack}`;
        }
      }
      // A request that a test answers may be under way: that its window is gone is nobody's error. The test may have closed it itself.
      const routed = [context, ...context.pages()].map((each) => each.unrouteAll({ behavior: 'ignoreErrors' }));
      await Promise.allSettled(routed);
      await context.close();
    });
    return context;
  };
  return browser;
}

async function shownIn(context: BrowserContext): Promise<string> {
  const shown = context.pages().map(async (page) => {
    const text = await page.innerText('body', { timeout: 5_000 }).catch(String);
    return `${page.url()} shows “${text.replaceAll(/\s+/g, ' ').slice(0, LONGEST)}”`;
  });
  return (await Promise.all(shown)).join(', ');
}
