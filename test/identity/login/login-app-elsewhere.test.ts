import { beforeAll, describe, expect, it } from 'vitest';

import { upgrade } from '../../support/raw-requests.ts';
import { createOrganization, PASSWORD, type OrganizationFixture } from '../../support/fixtures/organization.ts';
import { send } from '../../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';
import { FRONTEND_URL } from '../../support/servers/shared-settings.ts';

let server: SharedServer;
let organization: OrganizationFixture;

// Its AUTH_FRONTEND_URL has another origin than its own, which ALLOWED_ORIGINS does not name.
beforeAll(async () => {
  server = await sharedServer('strict');
  organization = await createOrganization(server);
});

const origin = FRONTEND_URL;
const fromThere = (path: string, body: object, headers: Record<string, string> = {}) =>
  send(server, 'POST', path, { headers: { origin, 'sec-fetch-site': 'cross-site', ...headers }, body });
const shared = ({ headers }: Awaited<ReturnType<typeof send>>) => [
  headers.get('access-control-allow-origin'),
  headers.get('access-control-allow-credentials'),
];
const credentials = () => ({
  username: organization.mail('admin'),
  password: PASSWORD,
  company_code: organization.companyCode,
});

describe('a login app at AUTH_FRONTEND_URL, on an origin of its own', () => {
  it('redeems a link, logs in and refreshes, with the cookies of its visitor', async () => {
    const redeemed = await fromThere('/api/v1/auth/magic-link/redeem', { token: 'of no link' });
    expect([redeemed.status, redeemed.json.code]).toEqual([401, 'MAGIC_LINK_INVALID']);

    const loggedIn = await fromThere('/api/v1/login', credentials(), { 'service-platform': 'web' });
    expect(loggedIn.status).toBe(200);
    const cookie = loggedIn.cookies.map((each) => each.split(';', 1)[0]).join('; ');
    const refreshed = await fromThere('/api/v1/refresh', { client_type: 'web' }, { cookie });
    expect(refreshed.status).toBe(200);

    for (const answer of [redeemed, loggedIn, refreshed]) expect(shared(answer)).toEqual([origin, 'true']);
  });

  it('gets an answer to the preflight of its browser', async () => {
    const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
    const answer = await send(server, 'OPTIONS', '/api/v1/login', { headers: { origin, ...preflight } });
    expect([answer.status, ...shared(answer)]).toEqual([204, origin, 'true']);
  });

  it('gets people back from the login', async () => {
    const there = `${origin}/console`;
    const page = await send(server, 'GET', `/login?${new URLSearchParams({ redirect_uri: there }).toString()}`);
    expect(page.headers.get('content-security-policy')).toContain(origin);
    const { company_code: companyCode, ...login } = credentials();
    const body = new URLSearchParams({ ...login, companyCode, redirect_uri: there });
    const answer = await fetch(new URL('/login', server.url), { method: 'POST', redirect: 'manual', body });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, there]);
  });

  it('sends GraphQL, and opens its WebSocket', async () => {
    const answer = await fromThere('/graphql', { query: '{ __typename }' });
    expect([answer.status, ...shared(answer)]).toEqual([200, origin, 'true']);
    expect(await upgrade(server, '/graphql', { origin, 'sec-websocket-protocol': 'graphql-transport-ws' })).toBe(101);
  });

  it.each(['http://login.acme.test', 'https://login.acme.test:8443', 'https://acme.test'])(
    'is the only one: %s is refused',
    async (other) => {
      const { status, json } = await fromThere('/api/v1/login', credentials(), { origin: other });
      expect([status, json.code]).toEqual([403, 'FOREIGN_ORIGIN']);
    },
  );
});
