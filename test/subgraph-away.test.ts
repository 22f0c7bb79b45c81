import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { openDatabase } from '@foyer/prisma/client';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import {
  isScrolledSideways,
  openBrowser,
  openPage,
  screens,
  violationsInBothSchemes,
} from './support/browsers/browser.ts';
import { day, onSale } from './support/fixtures/storefront.ts';
import { payAtTheBank, placeOrder } from './support/servers/bank.ts';
import { noBrowser, skipped } from './support/visit.ts';
import { standBeforeALock, unevenDays } from './support/servers/crash-fixture.ts';
import { stopServerProcess, startServerProcess, type ServerProcess } from './support/servers/server-process.ts';
import type { Json } from './support/json.ts';
import { graphql, send, logIn, logInCustomer } from './support/fixtures/people.ts';
import { keepAway, killRole, processesByRole } from './support/servers/processes.ts';
import { until } from './support/until.ts';

const sales = '{ ticketGroups(first: 1) { edges { node { ticketGroupId } } } }';

let server: ServerProcess;
let headers: Record<string, string>;

beforeAll(async () => {
  // Many processes, whatever the layout of the run.
  server = await startServerProcess({ LOGIN_FLOOR_MS: '50' }, 'distributed');
  ({ headers } = await logIn(server, 'orgadmin@acme.test', 'ACME'));
});
afterAll(() => stopServerProcess(server));

/** The environment of each process of a role. */
async function variablesOf(role: string): Promise<Record<string, string>[]> {
  const pids = (await processesByRole(server)).get(role) ?? [];
  const texts = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/environ`, 'utf8')));
  return texts.map((text) =>
    Object.fromEntries(
      text.split('\0').map((variable) => [variable.split('=', 1)[0], variable.replace(/^[^=]*=/, '')]),
    ),
  );
}

const reasons = (errors: Json) => (errors ?? []).map((error: Json) => error.extensions.reason);
const selling = async () => (await graphql(server, sales)).data?.ticketGroups;

describe('the gateways', () => {
  it('are given no database: what they must know of tokens, they ask the subgraphs', async () => {
    const hasDatabase = (variables: Record<string, string>) => 'DATABASE_URL' in variables;

    const gateways = await variablesOf('gateway');
    expect(gateways.map(hasDatabase)).toEqual([false, false]);
    expect((await variablesOf('identity')).map(hasDatabase)).toEqual([true]);
  });

  it('refuse a session that has ended', async () => {
    const other = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const asking = async () => (await graphql(server, '{ me { user { email } } }', {}, other.headers)).status;
    expect(await asking()).toBe(200);
    await graphql(server, 'mutation { logout { __typename } }', {}, other.headers);
    await until('the session to be refused', async () => (await asking()) === 401, { timeoutMs: 60_000 });
  });
});

describe('while the subgraph of identity is away', () => {
  const create = `mutation ($organizationId: ID!, $input: TargetGroupInput!) {
    createTargetGroup(organizationId: $organizationId, input: $input) { id }
  }`;

  it('staff go on changing what other subgraphs have: those tell whether a token was revoked', async () => {
    const { organization } = (await graphql(server, '{ me { user { organization { id } } } }', {}, headers)).data.me
      .user;
    const variables = { organizationId: organization.id, input: { name: 'Without identity' } };
    const letItBack = await keepAway(server, 'identity');
    try {
      const created = await until(
        'a change without identity',
        async () => (await graphql(server, create, variables, headers)).data?.createTargetGroup,
        { timeoutMs: 60_000 },
      );
      expect(created.id).toBeTruthy();
    } finally {
      letItBack();
    }
    const me = async () => (await graphql(server, '{ me { user { email } } }', {}, headers)).data?.me?.user;
    await until('identity to be back', me, { timeoutMs: 60_000 });
  });
});

describe('when the subgraph of ticketing is killed while it places an order', () => {
  it('the buyer reads that nobody knows whether it was placed, and the same request places it once', async () => {
    const sale = await onSale(server, { headers }, { variant: { unitPriceSen: 0 } });
    const [buyerEmail, idempotencyKey] = ['killed@example.test', randomUUID()];
    const input = {
      langChosen: 'EN',
      ticketGroupId: sale.ticketGroupId,
      buyerName: 'Guest Tan',
      buyerEmail,
      admitDate: day(7),
      items: [{ itemId: sale.itemId, quantityBought: 2 }],
    };
    const place = () =>
      graphql(
        server,
        `
          mutation ($input: CreateOrderInput!, $idempotencyKey: String) {
            createFreeOrder(input: $input, idempotencyKey: $idempotencyKey) {
              orderNo
              order {
                transactionStatus
              }
            }
          }
        `,
        { input, idempotencyKey },
      );
    const db = openDatabase((await variablesOf('ticketing'))[0]?.['DATABASE_URL'] ?? '');
    try {
      const { status, data, errors } = await db.$transaction(
        async (tx) => {
          await tx.$executeRaw`LOCK TABLE ticketing.ticket IN EXCLUSIVE MODE`;
          const placing = place();
          await standBeforeALock(db, 1, { timeoutMs: 60_000 });
          await killRole(server, 'ticketing');
          return placing;
        },
        { timeout: 120_000 },
      );
      expect([status, data]).toEqual([200, null]);
      expect(errors[0].extensions).toMatchObject({ reason: 'SUBGRAPH_UNAVAILABLE', outcome: 'UNKNOWN' });

      const again = await until('ticketing to be back', async () => (await place()).data?.createFreeOrder, {
        timeoutMs: 60_000,
      });

      const orders = await db.orderTicketGroup.findMany({ where: { buyerEmail }, include: { tickets: true } });
      expect(orders.map(({ orderNo, tickets }) => [orderNo, tickets.length])).toEqual([[again.orderNo, 2]]);
      expect(again.order.transactionStatus).toBe('FREE');
      expect(await unevenDays(db)).toEqual([]);
    } finally {
      await db.$disconnect();
    }
  });
});

describe('while the subgraph of ticketing is away', () => {
  let groupId: string;
  let paid: { orderNo: string };
  let letItBack: () => void;
  beforeAll(async () => {
    groupId = (await selling()).edges[0].node.ticketGroupId;
    paid = await placeOrder(server, await logInCustomer(server));
    await payAtTheBank(server, paid.orderNo);
    letItBack = await keepAway(server, 'ticketing');
  });
  afterAll(() => letItBack());

  it('operations that need it are refused at once, with a code, over GraphQL and REST', async () => {
    const { errors } = await graphql(server, sales);
    expect(reasons(errors)).toEqual(['SUBGRAPH_UNAVAILABLE']);

    const { organization } = (await graphql(server, '{ me { user { organization { id } } } }', {}, headers)).data.me
      .user;
    const { status, json } = await send(server, 'GET', '/api/v1/campaigns', {
      headers: { ...headers, 'x-organization-id': organization.id },
    });
    expect([status, json.code]).toEqual([503, 'SUBGRAPH_UNAVAILABLE']);
  });

  it('a query of several subgraphs keeps the root fields of the others', async () => {
    const { data, errors } = await graphql(
      server,
      '{ me { user { email } } ticketGroups(first: 1) { edges { cursor } } banks(mode: "01") { bankCode } mediaFolders { folder } }',
      {},
      headers,
    );
    expect(data).toEqual({
      me: { user: { email: 'orgadmin@acme.test' } },
      ticketGroups: null,
      banks: null,
      mediaFolders: expect.any(Array),
    });
    expect(new Set(reasons(errors))).toEqual(new Set(['SUBGRAPH_UNAVAILABLE']));
  });

  it('other operations work, and those that need it in part get the rest', async () => {
    const { data, errors } = await graphql(
      server,
      '{ me { user { email organization { name orders { totalCount } } media { totalCount } } } }',
      {},
      headers,
    );
    expect(data.me.user).toMatchObject({ email: 'orgadmin@acme.test', media: { totalCount: expect.any(Number) } });
    expect(reasons(errors)).toEqual(['SUBGRAPH_UNAVAILABLE']);
    expect((await send(server, 'GET', '/api/v1/identity/users/me', { headers })).status).toBe(200);
  });

  it('a subscription is refused with the code; the connection and its other operations stay', async () => {
    const client = createClient({
      url: `${server.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: headers,
    });
    const query = `subscription { availabilityChanged(ticketGroupId: "${groupId}", dates: ["2030-01-01"]) { __typename } }`;
    const first = await client.iterate<Json>({ query }).next();
    expect(reasons(first.value?.errors)).toEqual(['SUBGRAPH_UNAVAILABLE']);

    const me = await client.iterate<Json>({ query: '{ me { user { email } } }' }).next();
    expect(me.value?.data?.['me'].user.email).toBe('orgadmin@acme.test');
    await client.dispose();
  });

  it('browsers at the payment pages read that the payment is safe; other clients get the documented error', async () => {
    for (const [path, words] of [
      ['/payment/return?payload=x', '您的付款是安全的'],
      ['/payment/success?orderNo=ORD-1', '您的付款是安全的'],
      ['/payment/failure?orderNo=ORD-1', '您的付款是安全的'],
      ['/pdf/receipt?orderNo=ORD-1', '您的门票是安全的'],
    ] as const) {
      const open = (accept: string) =>
        fetch(new URL(path, server.url), { headers: { accept, 'accept-language': 'zh' }, redirect: 'manual' });
      const page = await open('text/html');
      const callback = await open('*/*');

      expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain(words);
      expect([callback.status, ((await callback.json()) as { code: string }).code]).toEqual([
        503,
        'SUBGRAPH_UNAVAILABLE',
      ]);
    }
  });

  it.skipIf(noBrowser)(
    `browsers read it in their language, and see the payment and the tickets by themselves when it is back${skipped}`,
    async () => {
      const browser = await openBrowser();
      const open = async (path: string, locale: string, title: string) => {
        const page = await openPage(browser, server, path, { ...screens.phone, locale });
        await page.getByRole('heading', { name: title }).waitFor();
        for (const { viewport } of Object.values(screens)) {
          await page.setViewportSize(viewport);
          expect(await violationsInBothSchemes(page)).toEqual([]);
          expect(await isScrolledSideways(page)).toBe(false);
        }
        return page;
      };
      const paymentPage = `/payment/success?orderNo=${paid.orderNo}`;
      const pages = [
        await open(paymentPage, 'ms-MY', 'Bayaran anda selamat'),
        await open(paymentPage, 'en-GB', 'Your payment is safe'),
        await open(paymentPage, 'zh-CN', '您的付款是安全的'),
      ];
      const receipt = await open(`/pdf/receipt?orderNo=${paid.orderNo}`, 'en-GB', 'Your tickets can not be shown yet');
      const downloaded = receipt.waitForEvent('download', { timeout: 120_000 });

      letItBack();

      for (const page of pages) await page.getByRole('heading', { name: 'Thank you' }).waitFor({ timeout: 120_000 });
      expect((await downloaded).suggestedFilename()).toBe(`${paid.orderNo}.pdf`);
      await browser.close();
    },
  );

  it('is used again when it is back, without any action', async () => {
    letItBack();
    expect((await until('ticketing to be back', selling, { timeoutMs: 60_000 })).edges).toHaveLength(1);
  });
});
