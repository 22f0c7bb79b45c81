import type { Browser, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { openPage, screens } from '../support/browsers/browser.ts';
import { createOrganization, type OrganizationFixture } from '../support/fixtures/organization.ts';
import { send } from '../support/fixtures/people.ts';
import { mailsTo } from '../support/servers/inbox.ts';
import type { Server } from '../support/servers/server-process.ts';
import { until } from '../support/until.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

let server: Server;
let fixture: OrganizationFixture;
let browser: Browser | undefined;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
  fixture = await createOrganization(server);
});
afterAll(() => endVisit({ browser }));

/** Sends a mail to a new person, and waits until the inbox has it. */
async function mailed(name: string): Promise<string> {
  await fixture.join(name);
  const email = `${name}@${fixture.companyCode.toLowerCase()}.test`;
  const body = { company_code: fixture.companyCode, email };
  await send(server, 'POST', '/api/v1/auth/password-reset/request', { body });
  await until(`a mail to ${email}`, async () => (await mailsTo(server, email)).length > 0);
  return email;
}

/** Opens the inbox with some of its requests held up; `connected` is when it is told of new mails. */
async function openInbox(path: string, hold: (route: Route) => Promise<void>) {
  const page = await openPage(browser, server, '/docs/', screens.desktop);
  await page.route(path, hold);
  const connected = page.waitForEvent('websocket');
  await page.goto('/sim/inbox/');
  return { page, connected };
}

describe('the simulated inbox shows a mail that comes', () => {
  it.skipIf(noBrowser)(`after it has read its list, and before it is told of new ones${skipped}`, async () => {
    const released = Promise.withResolvers<void>();
    const before = await mailed('early');
    const { page } = await openInbox('**/sim/inbox/socket.io/**', async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.getByText(before).first().waitFor();

    const email = await mailed('late');
    expect(await page.getByText(email).count()).toBe(0);
    released.resolve();

    await page.getByText(email).first().waitFor();
  });

  it.skipIf(noBrowser)(`while it reads a list without it${skipped}`, async () => {
    const released = Promise.withResolvers<void>();
    const before = await mailed('known');
    const { page, connected } = await openInbox('**/sim/inbox/email', async (route) => {
      const response = await route.fetch();
      await released.promise;
      await route.fulfill({ response });
    });
    await connected;
    const email = await mailed('new');
    await page.getByText(email).first().waitFor(); // it was told of it
    released.resolve();

    await page.getByText(before).first().waitFor();
    await page.getByText(email).first().waitFor();
    expect(await page.getByText(email).count()).toBe(1);
  });
});
