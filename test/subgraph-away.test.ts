import { readFile } from 'node:fs/promises';

import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';

import { stopServerProcess, startServerProcess, type ServerProcess } from './support/servers/server-process.ts';
import type { Json } from './support/json.ts';
import { graphql, send, logIn } from './support/fixtures/people.ts';
import { keepAway, processesByRole } from './support/servers/processes.ts';
import { until } from './support/until.ts';

/** Many processes, whatever the layout of the run. */
vi.hoisted(() => {
  process.env['FOYER_LAYOUT'] = 'distributed';
});

const sales = '{ ticketGroups(first: 1) { edges { node { ticketGroupId } } } }';

let server: ServerProcess;
let headers: Record<string, string>;

beforeAll(async () => {
  server = await startServerProcess({ LOGIN_FLOOR_MS: '50' });
  ({ headers } = await logIn(server, 'orgadmin@acme.test', 'ACME'));
});
afterAll(() => stopServerProcess(server));

const reasons = (errors: Json) => (errors ?? []).map((error: Json) => error.extensions.reason);
const selling = async () => (await graphql(server, sales)).data?.ticketGroups;

describe('the gateways', () => {
  it('are given no database: what they must know of tokens, they ask the subgraphs', async () => {
    const roles = await processesByRole(server);
    const variablesOf = async (role: string) =>
      Promise.all((roles.get(role) ?? []).map((pid) => readFile(`/proc/${pid}/environ`, 'utf8')));
    const hasDatabase = (variables: string) => /(^|\0)DATABASE_URL=/.test(variables);

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

describe('while the subgraph of ticketing is away', () => {
  let groupId: string;
  let letItBack: () => void;
  beforeAll(async () => {
    groupId = (await selling()).edges[0].node.ticketGroupId;
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

  it('browsers at the payment pages read that the payment is safe; the server of the bank gets the documented error', async () => {
    for (const path of [
      '/payment/return?payload=x',
      '/payment/success?orderNo=ORD-1',
      '/payment/failure?orderNo=ORD-1',
    ]) {
      const open = (accept: string) =>
        fetch(new URL(path, server.url), { headers: { accept, 'accept-language': 'zh' }, redirect: 'manual' });
      const page = await open('text/html');
      const callback = await open('*/*');

      expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain('您的付款是安全的');
      expect([callback.status, ((await callback.json()) as { code: string }).code]).toEqual([
        503,
        'SUBGRAPH_UNAVAILABLE',
      ]);
    }
  });

  it('is used again when it is back, without any action', async () => {
    letItBack();
    expect((await until('ticketing to be back', selling, { timeoutMs: 60_000 })).edges).toHaveLength(1);
  });
});
