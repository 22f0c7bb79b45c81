import { decodeJwt } from 'jose';
import { expect } from 'vitest';

import { until } from '../../support/until.ts';
import { deviates, holds, shownBy, type Rows } from '../framework/row.ts';
import { wholeList } from '../framework/whole-list.ts';
import { acme, browser, catalog, invited, me, mobile } from './people.ts';

const records = 'subgraphs/identity/src/records.integration.test.ts';

/** "What the service does". */
export const service: Rows = {
  'identity-service-1-passwords': shownBy(records, 'no table holds a password, a hash of one'),
  'identity-service-1-no-other-passwords': shownBy(records, 'no table holds a password, a hash of one'),

  'identity-service-2-tokens': holds(async (server) => {
    const { accessToken, refreshToken } = await server.login('member@acme.test', 'ACME');
    const algorithm = (token: string) => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).alg;
    expect([algorithm(accessToken), algorithm(refreshToken)]).toEqual(['RS256', 'HS256']);
    // The password is right, but the status of the organization is checked as well, so no token is issued.
    const elsewhere = await server.send('POST', '/api/v1/login', {
      headers: mobile,
      body: { username: 'member@acme.test', password: server.password(), company_code: 'PLATFORM' },
    });
    expect([elsewhere.status, elsewhere.text.includes('access_token'), elsewhere.cookies]).toEqual([401, false, []]);
  }),

  'identity-service-2-delivery': holds(async (server) => {
    const web = await browser(server, 'member@acme.test', 'ACME');
    expect(web.answer.cookies.filter((cookie) => /^(access|refresh)_token=/.test(cookie))).toEqual([
      expect.stringContaining('HttpOnly'),
      expect.stringContaining('HttpOnly'),
    ]);
    expect(web.answer.text).not.toContain(web.access);
    const app = await server.login('member@acme.test', 'ACME');
    expect(app.accessToken.split('.')).toHaveLength(3);
  }),

  'identity-service-3-one-organization': holds(async (server) => {
    const { accessToken } = await server.login('orgadmin@acme.test', 'ACME');
    expect(decodeJwt(accessToken)['org']).toEqual({
      org_id: acme,
      org_slug: expect.any(String),
      role: 'ORG_ADMIN',
    });
  }),

  'identity-service-3-no-switcher': holds(async (server) => {
    const { refreshToken } = await server.login('member@acme.test', 'ACME');
    const other = await server.organization();
    const { status, json } = await server.send('POST', '/api/v1/refresh', {
      headers: { 'x-organization-id': other.id },
      body: { client_type: 'mobile', refresh_token: refreshToken, company_code: other.companyCode, org_id: other.id },
    });
    expect(status).toBe(200);
    expect(decodeJwt(json.access_token)['org']).toMatchObject({ org_id: acme });
  }),

  'identity-service-4-enforces': holds(async (server) => {
    const { headers } = await server.login('member@acme.test', 'ACME');
    const { status } = await server.send('POST', `/api/v1/tenancy/organizations/${acme}/roles`, {
      headers,
      body: { name: 'Mine', scope: 'organization', description: '', permissions: [] },
    });
    expect(status).toBe(403);
  }),

  'identity-service-4-sends-mail': holds(async (server) => {
    const { email, link } = await invited(server);
    expect([email, link]).toEqual([expect.any(String), expect.stringContaining('/auth/magic-link?token=')]);
  }),

  'identity-service-5-login-page': holds(async (server) => {
    const { status, headers, text } = await server.send('GET', '/login');
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    expect(text).toMatch(/type="password"/);
  }),

  'identity-service-5-console': holds(async (server) => {
    expect((await server.send('GET', me)).status).toBe(401);
    const refresh = await server.send('POST', '/api/v1/refresh', { body: { client_type: 'web' } });
    expect(refresh.status).toBe(401);
    const { status, text } = await server.send('GET', '/login?redirect_uri=%2Fdocs');
    expect([status, text]).toEqual([200, expect.stringContaining('redirect_uri')]);
  }, 'the browser is sent to redirect_uri: test/pages/login.test.ts'),

  'identity-service-6-joined-by-id': holds(async (server) => {
    const organization = await server.organization();
    const { id, headers, accessToken } = await organization.member();
    expect([decodeJwt(accessToken)['uid'], (await server.send('GET', me, { headers })).json.user.id]).toEqual([id, id]);
    const ofAuth = await server.send('GET', `/api/v1/internal/orgs/${organization.id}`, { headers: server.internal() });
    const ofCore = await organization.ask('GET', '/users?limit=100');
    expect(ofAuth.json.organization.id).toBe(organization.id);
    expect(ofCore.json.data.map((user: { id: string }) => user.id)).toContain(id);
  }),

  'identity-service-6-not-by-name': shownBy(records, 'never by name: a new name in one store changes nothing'),
};

/** The sentences above the tables of "Endpoints", and the flows below them. */
export const flows: Rows = {
  'identity-endpoints-json': holds(async (server) => {
    const form = await fetch(new URL('/api/v1/login', server.url), {
      method: 'POST',
      body: new URLSearchParams({ username: 'member@acme.test' }),
    });
    expect([form.status, form.headers.get('content-type')]).toEqual([415, expect.stringMatching(/^application\/json/)]);
  }),

  'identity-endpoints-addresses': holds(async (server) => {
    expect((await server.send('GET', '/.well-known/jwks.json')).status).toBe(200);
    expect((await catalog(server)).status).toBe(200);
  }, 'both services answer on one address'),

  'identity-refresh-rules': deviates(
    '0014-sessions',
    'reuse is detected: a token used again ten seconds after its exchange ends the session; a disabled organization refuses too',
    async (server) => {
      const organization = await server.organization();
      const { id, email } = await organization.member();
      const { refreshToken, accessToken } = await organization.again(email);
      await organization.ask('PATCH', `/users/${id}/role`, { body: { role: 'ORG_MANAGER' } });
      const refresh = () =>
        server.send('POST', '/api/v1/refresh', { body: { client_type: 'mobile', refresh_token: refreshToken } });

      const both = await Promise.all([refresh(), refresh()]);
      expect(both.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 401]);
      const { json } = both.find(({ status }) => status === 200) ?? { json: {} };
      expect([json.access_token, json.refresh_token]).not.toContain(accessToken);
      expect(json.refresh_token).not.toBe(refreshToken);
      expect(decodeJwt(json.access_token)['org']).toMatchObject({ role: 'ORG_MANAGER' });

      const without = await server.send('POST', '/api/v1/refresh', { body: { client_type: 'web' } });
      expect([without.status, without.json.code]).toEqual([401, 'no_refresh_token']);
      expect((await server.send('POST', '/api/v1/refresh', { body: {} })).status).toBe(400);

      await organization.ask('PATCH', `/users/${id}/status`, { body: { status: 'disabled' } });
      const disabled = await server.send('POST', '/api/v1/refresh', {
        body: { client_type: 'mobile', refresh_token: json.refresh_token },
      });
      expect(disabled.status).toBe(401);
    },
  ),

  'identity-logout-expired': deviates(
    '0014-sessions',
    'the session of the refresh cookie ends all the same, and that answer clears both cookies',
    async (server) => {
      const { refresh } = await browser(server, 'member@acme.test', 'ACME');
      const { status } = await server.send('POST', '/api/v1/protected/logout', {
        headers: { cookie: `refresh_token=${refresh}` },
      });
      expect(status).toBe(401);
    },
  ),

  'identity-flows-1-invite': holds(async (server) => {
    const { answer, link } = await invited(server);
    expect([answer.status, answer.json.user]).toEqual([
      201,
      expect.objectContaining({ role: 'ORG_MEMBER', account_state: 'invited' }),
    ]);
    expect(link).toMatch(/\/auth\/magic-link\?token=[\w-]{43}$/);
    const { headers } = await server.acmeAdmin();
    const people = await wholeList(server, `/api/v1/tenancy/organizations/${acme}/users`, headers);
    const added = people.find(({ id }) => id === answer.json.user.id);
    expect(added).toMatchObject({ role: 'ORG_MEMBER', account_state: 'invited' });
  }),

  'identity-flows-2-redeem': holds(async (server) => {
    const { token } = await invited(server);
    const { json: peeked } = await server.send('GET', `/auth/magic-link/status?token=${token}`);
    expect(peeked.valid).toBe(true);
    const { json } = await server.send('POST', '/auth/magic-link/redeem', { headers: mobile, body: { token } });
    expect(json.password_change_required).toBe(true);
    const { json: after } = await server.send('GET', `/auth/magic-link/status?token=${token}`);
    expect(after.valid).toBe(false);
    const headers = { authorization: `Bearer ${json.access_token}` };
    expect((await server.send('GET', me, { headers })).status).toBe(200); // nobody but active people
  }),

  'identity-flows-3-reset': deviates('0014-sessions', 'a reset ends the sessions of the account', async (server) => {
    const organization = await server.newOrganization();
    const email = organization.mail('admin');
    const request = (of: string) =>
      server.send('POST', '/api/v1/auth/password-reset/request', {
        body: { email: of, company_code: organization.companyCode },
      });
    expect((await request('nobody@nowhere.test')).status).toBe(200);
    expect((await request(email)).status).toBe(200);
    const before = await organization.again(email);
    const link = await server.mailedLink(email, '/reset-password');
    const token = new URL(link, 'http://x').searchParams.get('token');
    const password = 'Conforming-secret-9';
    const confirmed = await server.send('POST', '/api/v1/auth/password-reset/confirm', { body: { token, password } });
    expect(confirmed.status).toBe(200);
    await server.login(email, organization.companyCode, password);
    await expect(organization.again(email)).rejects.toThrow('INVALID_CREDENTIALS'); // with the password of before
    await until('the session of before to end', async () => {
      return (await server.send('GET', me, { headers: before.headers })).status === 401;
    });
    const refreshed = await server.send('POST', '/api/v1/refresh', {
      body: { client_type: 'mobile', refresh_token: before.refreshToken },
    });
    const again = await server.send('POST', '/api/v1/auth/password-reset/confirm', { body: { token, password } });
    expect([refreshed.status, again.status]).toEqual([401, 400]);
  }),
};
