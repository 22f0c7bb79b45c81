import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { logInToStudio, openDemo, type DemoPage } from '../support/browsers/demo.ts';
import { orderFor } from '../support/browsers/shop.ts';
import { ACME_WORKSPACE, acmeAdmin, ask, day, nobody, onSale } from '../support/fixtures/storefront.ts';
import type { Json } from '../support/json.ts';
import type { Server } from '../support/servers/server-process.ts';
import { beginVisit, endVisit, noBrowser, skipped } from '../support/visit.ts';

const EMAIL = 'tan@example.test';

let server: Server;
let browser: Browser | undefined;
let boats: string;

beforeAll(async () => {
  ({ server, browser } = await beginVisit());
  ({ ticketGroupId: boats } = await onSale(server, await acmeAdmin(server)));
});
afterAll(() => endVisit({ browser }));

/** What the page is told by its WebSockets from now on. */
function watchEvents(page: Page): string[] {
  const events: string[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => events.push(String(payload))));
  return events;
}

/** Holds the answers to an operation up on their way to the page. */
async function holdAnswers(page: Page, operation: string) {
  const released = Promise.withResolvers<void>();
  const read = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route: Route) => {
    if (!route.request().postData()?.includes(`"operationName":"${operation}"`)) return route.fallback();
    const response = await route.fetch();
    read.resolve();
    await released.promise;
    return route.fulfill({ response });
  });
  return {
    isRead: read.promise,
    /** Lets them go, and waits until the page has the first one. */
    async release() {
      const answered = page.waitForResponse((response) =>
        Boolean(response.request().postData()?.includes(`"operationName":"${operation}"`)),
      );
      released.resolve();
      await (await answered).finished();
      await page.evaluate('new Promise((done) => setTimeout(done))'); // what the page does with it
    },
  };
}

/** Orders on the page, and returns the number of the order. */
async function ordered(page: DemoPage, date: string): Promise<string> {
  await orderFor(page, date, EMAIL);
  return new URL(page.url()).hash.split('/').at(-1) ?? '';
}

const cancel = (orderNo: string) =>
  ask(
    server,
    nobody,
    'mutation ($orderNo: String!, $email: String) { cancelOrder(orderNo: $orderNo, email: $email) { orderNo } }',
    { orderNo, email: EMAIL },
  );

/** Ways in which a stream of events ends though its viewer has it open (docs/errors.md). */
const endings = [
  [
    'a server that is being stopped',
    (id: string) => [
      { id, type: 'error', payload: [{ message: '', extensions: { code: '', reason: 'SERVER_STOPPING' } }] },
    ],
  ],
  [
    'rights that have changed',
    (id: string) => [
      {
        id,
        type: 'next',
        payload: { data: null, errors: [{ message: '', extensions: { code: '', reason: 'RIGHTS_CHANGED' } }] },
      },
      { id, type: 'complete' },
    ],
  ],
] as const;

describe('the page of an order', () => {
  it.skipIf(noBrowser)(`shows its last change though an older answer comes after it${skipped}`, async () => {
    const page = await openDemo(browser, server, `tickets/${boats}`);
    const orderNo = await ordered(page, day(2));
    await page.goto('/demo#/');
    await page.locator('.offer').first().waitFor();
    const events = watchEvents(page);
    const answers = await holdAnswers(page, 'Order');
    await page.goto(`/demo#/orders/${orderNo}`);
    await answers.isRead;

    await cancel(orderNo);
    await expect.poll(() => events.join('')).toContain('"transactionStatus":"FAILED"');
    await answers.release();

    await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
    expect(page.problems).toEqual([]);
  });

  it.skipIf(noBrowser).each(endings)(`follows it again after %s${skipped}`, async (_, ending) => {
    const page = await openDemo(browser, server, `tickets/${boats}`);
    let refused = 0;
    await page.routeWebSocket('**/graphql', (socket) => {
      const toServer = socket.connectToServer();
      socket.onMessage((message) => {
        if (refused > 0 || !String(message).includes('subscription OrderStatus')) return toServer.send(message);
        const { id } = JSON.parse(String(message)) as { id: string };
        refused += 1;
        for (const answer of ending(id)) socket.send(JSON.stringify(answer));
      });
    });
    await page.reload(); // a WebSocket is routed only in a page that is loaded later
    const orderNo = await ordered(page, day(3));
    await expect.poll(() => refused).toBe(1);

    await cancel(orderNo);

    await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(page.problems).toEqual([]);
  });
});

const LIST = `query ($workspaceId: ID!) {
  mediaList(filter: { workspaceId: $workspaceId, type: "video" }, first: 50) { edges { node { id title } } }
}`;

describe('the library in the studio', () => {
  it.skipIf(noBrowser)(`shows what changes while it reads a list without it${skipped}`, async () => {
    const name = `changing-${process.pid}.mp4`;
    const page = await openDemo(browser, server, 'studio');
    await logInToStudio(page);
    await page.setInputFiles('[name=file]', { name, mimeType: 'video/mp4', buffer: Buffer.from('no video') });
    const row = page.locator('section:not(.uploads) li').filter({ hasText: name });
    await row.getByText('could not be processed').waitFor();
    const admin = await acmeAdmin(server);
    const { edges } = await ask(server, admin, LIST, { workspaceId: ACME_WORKSPACE });
    const { id } = edges.map(({ node }: Json) => node).find(({ title }: Json) => title === name);
    const events = watchEvents(page);
    const answers = await holdAnswers(page, 'Library');
    await page.reload();
    await answers.isRead;
    await expect.poll(() => events.join('')).toContain('"mediaChanged":null'); // the stream has begun

    await ask(server, admin, 'mutation ($id: ID!) { deleteMedia(id: $id) { id } }', { id });
    await expect.poll(() => events.join('')).toContain(`"mediaId":"${id}"`);
    await answers.release();

    await expect.poll(() => row.count()).toBe(0);
    expect(page.problems).toEqual([]);
  });
});
