import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { fill, openPage, screens } from '../support/browsers/browser.ts';
import { openConsole } from '../support/browsers/console.ts';
import { DEMO_PASSWORD } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { beginVisit, endVisit, noBrowser, skipped, type Visit } from '../support/visit.ts';

let server: SharedServer;
let visit: Partial<Visit> = {};
let consoles: Awaited<ReturnType<typeof openConsole>>[] = [];
/** The origin of an allowed console, and origins that are not allowed; all serve the same page. */
let origins: { console: string; neighbour: string; stranger: string };

beforeAll(async () => {
  server = await sharedServer();
  consoles = await Promise.all([openConsole(server.consolePort), openConsole()]);
  const [own, other] = consoles.map(({ port }) => port);
  origins = {
    console: `http://localhost:${own}`,
    neighbour: `http://localhost:${other}`, // the same site: browsers send cookies from there
    stranger: `http://127.0.0.1:${other}`,
  };
  visit = await beginVisit();
});
afterAll(async () => {
  await endVisit(visit);
  await Promise.all(consoles.map((one) => one.close()));
});

const owner = { companyCode: 'PLATFORM', username: 'admin@foyer.test', password: DEMO_PASSWORD };
const addressAt = (origin: string) => `${origin}/?api=${encodeURIComponent(server.url)}`;

/** One step of the console's script, in the page. */
const step = (page: Page, name: string, ...given: unknown[]): Promise<unknown> =>
  page.evaluate(`steps.${name}(...${JSON.stringify(given)})`);

async function ready(page: Page): Promise<void> {
  await page.waitForFunction('window.steps !== undefined');
}

async function openAt(origin: string): Promise<Page> {
  const page = await openPage(visit.browser, { url: origin }, addressAt(origin), screens.desktop);
  await ready(page);
  return page;
}

/** Logs in through the login app (spec 1), back to the console. */
async function logInAt(page: Page): Promise<void> {
  await Promise.all([page.waitForURL(/\/login\?redirect_uri=/), page.evaluate('void steps.enter()')]);
  await fill(page, owner);
  await page.waitForURL(addressAt(origins.console));
  await ready(page);
}

describe('a console on an origin of its own', () => {
  it.skipIf(noBrowser)(`logs its user in by the login app, and renews the session${skipped}`, async () => {
    const page = await openAt(origins.console);
    expect([await step(page, 'me'), await step(page, 'refresh')]).toEqual([401, 401]);

    await logInAt(page);
    expect(await step(page, 'me')).toBe(owner.username);

    await page.context().clearCookies({ name: 'access_token' }); // as if it had expired
    expect(await step(page, 'me')).toBe(401);
    expect(await step(page, 'enter')).toBe('refreshed');
    expect(await step(page, 'me')).toBe(owner.username);
  });

  it.skipIf(noBrowser)(`queries, subscribes, follows and uploads${skipped}`, async () => {
    const page = await openAt(origins.console);
    await logInAt(page);

    expect(await step(page, 'query')).toBe(owner.username);
    expect(await step(page, 'requestId')).toMatch(/^[\w-]{36}$/);
    expect(await step(page, 'events')).toContain('"nodeStatusChanged"');
    expect(await step(page, 'socket')).toContain('"nodeStatusChanged"');
    expect(await step(page, 'stream')).toBe('open');
    expect(await step(page, 'upload', await step(page, 'prepare'))).toBe('uploaded');
  });
});

describe.each(['neighbour', 'stranger'] as const)('a page of a %s', (who) => {
  it.skipIf(noBrowser)(
    `can do none of it from another origin, in the browser of a logged-in user${skipped}`,
    async () => {
      const page = await openAt(origins.console);
      await logInAt(page);
      const uploadToken = await step(page, 'prepare');
      expect(uploadToken).not.toMatch(/^failed/);
      await page.goto(addressAt(origins[who]));
      await ready(page);

      for (const name of ['me', 'refresh', 'query', 'requestId', 'events', 'socket', 'stream', 'prepare']) {
        expect([name, await step(page, name)]).toEqual([name, expect.stringMatching(/^failed: /)]);
      }
      expect(await step(page, 'upload', uploadToken)).toMatch(/^failed: /);
    },
  );

  it.skipIf(noBrowser)(`can not log a user in or out by a form${skipped}`, async () => {
    const page = await openAt(origins.console);
    await logInAt(page);
    const urlencoded = 'application/x-www-form-urlencoded';
    const forms = [
      {
        path: '/login',
        enctype: urlencoded,
        fields: { ...owner, username: 'orgadmin@acme.test', companyCode: 'ACME' },
      },
      { path: '/api/v1/login', enctype: urlencoded, fields: { ...owner, company_code: 'PLATFORM' } },
      { path: '/api/v1/logout', enctype: 'text/plain', fields: { a: 'b' } },
      { path: '/logout/all', enctype: 'multipart/form-data', fields: {} },
      { path: '/graphql', enctype: 'text/plain', fields: { '{"query":"mutation{logout{success}}","a":"': '"}' } },
    ];
    for (const form of forms) {
      await page.goto(addressAt(origins[who]));
      await ready(page);
      await Promise.all([page.waitForURL(`${server.url}${form.path}`), step(page, 'form', form)]);
      expect([form.path, await page.textContent('body')]).toEqual([
        form.path,
        expect.stringContaining('FOREIGN_ORIGIN'),
      ]);
    }
    await page.goto(addressAt(origins.console));
    await ready(page);
    expect(await step(page, 'me')).toBe(owner.username);
  });

  it.skipIf(noBrowser)(`may send a buyer to the payment, as documented${skipped}`, async () => {
    const page = await openAt(origins[who]);
    const form = {
      path: '/payment/process',
      enctype: 'application/x-www-form-urlencoded',
      fields: { orderNo: 'none' },
    };
    await Promise.all([page.waitForURL(`${server.url}${form.path}`), step(page, 'form', form)]);
    expect(await page.textContent('body')).not.toContain('FOREIGN_ORIGIN');
  });
});
