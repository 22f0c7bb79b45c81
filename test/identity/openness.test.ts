import { openRoutes, routes } from '@foyer/rest-compat/routes';
import { beforeAll, describe, expect, it } from 'vitest';

import { newCustomer } from '../support/fixtures/customers.ts';
import { legacyToken } from '../support/fixtures/legacy-tokens.ts';
import { send, logIn, logInCustomer } from '../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../support/servers/shared-server.ts';
import { acmeAdmin, aGuest, ask, nobody, onSale, order, orderInput } from '../support/fixtures/storefront.ts';
import { askRow, claims, findings, MAIN, nameOf, proxies } from '../support/tables/rest-table.ts';

const PLATFORM = '00000000-0000-0000-0000-000000000001';
/** A workspace of another organization. */
const THEIRS = '0a0c0000-0000-4000-8000-000000000201';

const openRows = routes.filter(({ open }) => open);
const masked = ['GET /api/orderTicketGroup', 'GET /api/customer/profile'];

/** The routes that must answer strangers in both modes, or nobody could log in or buy. */
const publicRows = [
  'POST /api/v1/login',
  'POST /api/v1/refresh',
  'POST /api/v1/protected/logout', // requires a token itself, and still clears the cookies
  'POST /api/v1/logout',
  'GET /auth/magic-link/status',
  'POST /auth/magic-link/redeem',
  'GET /api/v1/auth/magic-link/status',
  'POST /api/v1/auth/magic-link/redeem',
  'POST /api/v1/auth/password-reset/request',
  'POST /api/v1/auth/password-reset/confirm',
  'GET /api/v1/auth/company-codes/:companyCode',
  'POST /api/v1/auth/self-signup/code',
  'POST /api/v1/auth/self-signup',
  'POST /api/orderTicketGroup',
  'POST /api/orderTicketGroup/free',
  'GET /api/orderNonMemberInquiry',
  'POST /payment/generateToken',
  'POST /payment/bankList',
  'POST /payment/process',
  'GET /payment/return',
  'GET /payment/decrypt',
  'GET /payment/success',
  'GET /payment/failure',
  'POST /auth/register',
  'POST /auth/login',
];
const answering = (mode: string) =>
  routes.filter(({ token }) => token !== 'needed' && (mode === 'documented' || token !== 'needed when strict'));

/** Refusals of rows that answer strangers: they require another proof than a token. */
const otherProof = new Set(['POST /api/v1/refresh', 'POST /api/v1/protected/logout', 'POST /api/v1/logout']);

describe.each(['documented', 'strict'] as const)('REST_AUTH=%s', (mode) => {
  let server: SharedServer;
  beforeAll(async () => {
    server = await sharedServer(mode === 'strict' ? 'strict' : 'usual');
  });

  it('lists every open route in a warning at start, including the proxies to nodes and masked look-ups', async () => {
    expect(openRows.length).toBeGreaterThan(20);
    const warning = (await server.printed()).split('\n').find((line) => line.includes('REST_AUTH=documented'));
    expect(warning !== undefined).toBe(mode === 'documented');
    const expected = [...openRows.map(nameOf), ...masked, 'GET /api/v1/me', 'GET /api/v1/tenancy/permissions/catalog'];
    expect(openRoutes).toEqual(
      expect.arrayContaining([...expected, 'ANY /streamers/:id/proxy', 'ANY /caches/:id/proxy/*']),
    );
    expect(openRoutes).toHaveLength(expected.length + 6);
    const unnamed = openRoutes.filter((route) => !warning?.includes(route));
    expect(unnamed).toEqual(mode === 'documented' ? [] : openRoutes);
  });

  it.each([...openRows, ...proxies].map((row) => [nameOf(row), row] as const))(
    '%s answers without a token when the documents leave it open, and requires one when strict',
    async (_name, row) => {
      const { status, json } = await askRow(server, row);
      // In documented mode the row may still find nothing under our ids, or an absent node.
      expect(mode === 'strict' ? [401] : [200, 201, 400, 404, 409, 502]).toContain(status);
      expect(json?.code === 'UNAUTHENTICATED').toBe(mode === 'strict');
    },
  );

  it('answers the registration of a customer with a token only in documented mode', async () => {
    const body = { email: `${mode}@example.test`, password: 'Registered-1', fullName: 'New Customer' };
    const { status, json } = await send(server, 'POST', '/auth/register', { body });
    expect([status, Object.keys(json)]).toEqual([
      201,
      mode === 'documented' ? ['success', 'token', 'expiresAt', 'customer'] : ['success', 'expiresIn'],
    ]);
  });

  it('shows strangers the names of an order by its number over REST, only in documented mode, and never in GraphQL', async () => {
    const { json } = await order(
      server,
      orderInput(await onSale(server, await acmeAdmin(server)), await aGuest(server)),
    );
    const names = [json.orderNo, json.transactionId];
    const ofGuest =
      'query ($orderNo: String!) { order(orderNo: $orderNo, email: "guest@example.test") { orderTicketGroupId } }';
    const { orderTicketGroupId: id } = await ask(server, nobody, ofGuest, { orderNo: json.orderNo });
    const hidden = names.map((name) => expect.not.stringContaining(name));

    for (const who of [nobody, await newCustomer(server), await logIn(server, 'viewer@acme.test', 'ACME')]) {
      const { headers } = who;
      const rest = await send(server, 'GET', `/api/orderTicketGroup?orderTicketGroupId=${id}`, { headers });
      const inGraphql = await ask(
        server,
        who,
        `{ order(orderTicketGroupId: "${id}") { orderNo transactionId buyerEmail } }`,
      );
      const isStaff = inGraphql.buyerEmail === 'guest@example.test';

      const strict = who === nobody ? [undefined, undefined] : hidden;
      const told = mode === 'documented' || isStaff ? names : strict;
      expect([rest.json.orderNo, rest.json.transactionId]).toEqual(told);
      expect([inGraphql.orderNo, inGraphql.transactionId]).toEqual(isStaff ? names : hidden);
    }
  });

  it('answers strangers on the routes of login and of the storefront, and requires a token on all others', async () => {
    const open = new Set(openRoutes);
    const expected =
      mode === 'strict' ? publicRows : [...publicRows, ...openRoutes.filter((name) => !name.startsWith('ANY'))];
    expect(answering(mode).map(nameOf).toSorted()).toEqual(expected.toSorted());
    const closed = routes.filter(
      (row) => !publicRows.includes(nameOf(row)) && (mode === 'strict' || !open.has(nameOf(row))),
    );
    expect(closed.length).toBeGreaterThan(100);
    const wrong = await findings(closed, async (row) => {
      const { status, json } = await askRow(server, row);
      // A route with a body may refuse its absence first.
      return status === 401 || (row.method !== 'GET' && json?.code === 'VALIDATION_FAILED') ? undefined : status;
    });
    expect(wrong).toEqual([]);
  });

  it('ignores an unusable token where none is needed, and refuses it first where one is', async () => {
    const ended = await logIn(server, 'viewer@acme.test', 'ACME');
    await send(server, 'POST', '/api/v1/protected/logout', { headers: ended.headers });
    const standing = () => send(server, 'GET', '/sessions', { headers: ended.headers });
    await expect.poll(async () => (await standing()).status).toBe(401); // known to every process
    const expired = await legacyToken(server, { role: 'MEMBER' }, { expires: '-1h' });
    const unusable: Record<string, string>[] = [
      ended.headers,
      { authorization: `Bearer ${expired}` },
      { authorization: 'Basic Zm9yZ2Vk' },
      { cookie: `access_token=${ended.access_token}` },
    ];
    const counted = new Set(answering(mode).map(nameOf));
    const withoutForms = routes.filter(({ form, url }) => !form && !url.includes('/internal/'));
    const wrong = await findings(withoutForms, async (row) => {
      const answers = await Promise.all(unusable.map((token) => askRow(server, row, { ...claims, ...token })));
      if (counted.has(nameOf(row)) && !otherProof.has(nameOf(row)))
        return answers.find(({ status }) => status === 401 || status === 403)?.json?.code;
      return answers.slice(0, 3).find(({ status }) => status !== 401)?.status;
    });
    expect(wrong).toEqual([]);
    const through = await findings(proxies, async (row) => {
      const [first] = await Promise.all(unusable.map((token) => askRow(server, row, token)));
      return first?.status === (mode === 'strict' ? 401 : 404) ? undefined : first?.status;
    });
    expect(through).toEqual([]);
  });

  it('refreshes and logs out by the refresh token, whatever the access token is', async () => {
    const { refresh_token } = await logIn(server, 'member@acme.test', 'ACME');
    const stale = { authorization: 'Bearer stale' };
    const renewed = await send(server, 'POST', '/api/v1/refresh', {
      headers: stale,
      body: { client_type: 'mobile', refresh_token },
    });
    expect(renewed.status).toBe(200);
    const cookie = `refresh_token=${renewed.json.refresh_token as string}`;
    const out = await send(server, 'POST', '/api/v1/protected/logout', { headers: { ...stale, cookie } });
    expect([out.status, out.cookies.length]).toEqual([401, 2]); // as documented; the cookies are cleared
    const body = { client_type: 'mobile', refresh_token: renewed.json.refresh_token };
    expect((await send(server, 'POST', '/api/v1/refresh', { body })).status).toBe(401);
  });

  it('prefers a valid token to the headers of the client, on every route that trusts headers: a mismatch is 403, or 404 by id', async () => {
    const { headers: token } = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const elsewhere = { ...token, 'x-organization-id': PLATFORM, 'x-workspace-id': THEIRS };
    // Nodes and transcoding profiles belong to nobody: headers make no difference.
    const believing = routes.filter(
      ({ open, url }) => url === '/api/v1/me' || (open && /^\/(api\/media|channels|api\/v1)\b/.test(url)),
    );
    const wrong = await findings(
      believing.filter(({ url }) => !/transcoding-profiles|storage-audit/.test(url)),
      async (row) => {
        const { status } = await askRow(server, row, elsewhere, THEIRS);
        return [403, 404].includes(status) ? undefined : status;
      },
    );
    expect(wrong).toEqual([]);
    for (const path of ['/api/v1/campaigns', '/api/v1/me'])
      expect((await send(server, 'GET', path, { headers: { ...claims, ...token } })).status).toBe(200);
  });

  it('never shows less to a logged-in user than to a stranger', async () => {
    const staff = await Promise.all([
      logIn(server, 'admin@foyer.test', 'PLATFORM'),
      logIn(server, 'orgadmin@acme.test', 'ACME'),
      logIn(server, 'member@acme.test', 'ACME'),
      logIn(server, 'viewer@acme.test', 'ACME'),
    ]);
    const legacy = await legacyToken(server, { role: 'MEMBER' });
    const people: Record<string, string>[] = [
      ...staff.map(({ headers }) => headers),
      ...staff.map(({ access_token }) => ({ cookie: `access_token=${access_token}` })),
      (await logInCustomer(server)).headers,
      { authorization: `Bearer ${legacy}` },
    ];
    const wrong = await findings([...openRows, ...proxies], async (row) => {
      // Strangers and staff of the platform may name any organization; others only that of their token, or none.
      for (const workspaceId of [MAIN, null]) {
        const theirs = await askRow(server, row, claims, workspaceId);
        if (theirs.status === 401) continue; // strict: nobody sees anything
        for (const [at, person] of people.entries()) {
          if (at % 4 === 0 && at < 8 && (workspaceId || row.url.startsWith('/api/v1'))) continue; // another organization's
          const own = await askRow(server, row, { ...claims, ...person }, workspaceId);
          let fewer = countOf(own.json) < countOf(theirs.json);
          // Other files share this server: something may have been deleted in between.
          if (fewer) fewer = countOf(own.json) < countOf((await askRow(server, row, claims, workspaceId)).json);
          if (own.status !== theirs.status || fewer) return `${theirs.status}, but ${own.status} for person ${at}`;
        }
      }
      return undefined;
    });
    expect(wrong).toEqual([]);
  });
});

const countOf = (json: { pagination?: { total: number }; data?: unknown[] } | unknown[] | undefined): number => {
  if (Array.isArray(json)) return json.length;
  return json?.pagination?.total ?? (Array.isArray(json?.data) ? json.data.length : 0);
};
