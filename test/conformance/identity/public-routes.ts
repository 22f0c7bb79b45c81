import { createHash, createPublicKey } from 'node:crypto';

import { decodeJwt } from 'jose';
import { expect } from 'vitest';

import { until } from '../../support/until.ts';
import { holds, shownBy, type Rows } from '../framework/row.ts';
import { browser, cookiesOf, invited, me, mobile } from './people.ts';

const demo = (password: string) => ({ username: 'member@acme.test', password, company_code: 'ACME' });

/** "Auth service: public routes": the table. */
export const publicRoutes: Rows = {
  'identity-public-post-login': holds(async (server) => {
    const web = await server.send('POST', '/api/v1/login', {
      headers: { 'service-platform': 'web' },
      body: demo(server.password()),
    });
    expect(web.status).toBe(200);
    expect(Object.keys(cookiesOf(web.cookies))).toEqual(expect.arrayContaining(['access_token', 'refresh_token']));
    expect(web.text).not.toContain(cookiesOf(web.cookies)['access_token']);

    const { username, password } = demo(server.password());
    const app = await server.send('POST', '/api/v1/login', { headers: mobile, body: { username, password } });
    expect([app.status, app.cookies]).toEqual([200, []]);
    expect(app.json).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
  }),

  'identity-public-post-refresh': holds(async (server) => {
    const app = await server.login('member@acme.test', 'ACME');
    const refreshed = await server.send('POST', '/api/v1/refresh', {
      body: { client_type: 'mobile', refresh_token: app.refreshToken },
    });
    expect([refreshed.status, refreshed.cookies]).toEqual([200, []]);
    expect(refreshed.json).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });

    const web = await browser(server, 'member@acme.test', 'ACME');
    const { status, cookies } = await server.send('POST', '/api/v1/refresh', {
      headers: { cookie: web.cookie },
      body: { client_type: 'web' },
    });
    expect([status, Object.keys(cookiesOf(cookies))]).toEqual([200, ['access_token', 'refresh_token']]);
  }),

  'identity-public-post-protected-logout': holds(async (server) => {
    const { cookie, access, refresh } = await browser(server, 'member@acme.test', 'ACME');
    expect((await server.send('POST', '/api/v1/protected/logout')).status).toBe(401);
    const { status, cookies } = await server.send('POST', '/api/v1/protected/logout', { headers: { cookie } });
    expect([status, cookiesOf(cookies)]).toEqual([200, { access_token: '', refresh_token: '' }]);
    const again = await server.send('POST', '/api/v1/refresh', {
      headers: { cookie: `refresh_token=${refresh}` },
      body: { client_type: 'web' },
    });
    expect(again.status).toBe(401);
    await until('401 for the access token', async () => {
      return (await server.send('GET', me, { headers: { authorization: `Bearer ${access}` } })).status === 401;
    });
    const sid = decodeJwt(access)['sid'];
    const { headers } = await server.login('member@acme.test', 'ACME');
    const { json } = await server.send('GET', '/sessions', { headers });
    expect(json.data.map((session: { id: string }) => session.id)).not.toContain(sid);
  }),

  'identity-public-get-sessions-stream': holds(async (server) => {
    const path = '/api/v1/sessions/stream';
    expect((await server.send('GET', path)).status).toBe(401);
    const { headers } = await server.login('member@acme.test', 'ACME');
    const stream = await fetch(new URL(path, server.url), { headers });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^text\/event-stream/),
    ]);
    await stream.body?.cancel();
  }),

  'identity-public-sessions': holds(async (server) => {
    const organization = await server.newOrganization();
    const { admin } = organization;
    const email = organization.mail('admin');
    const ask = (method: string, path: string) => server.send(method, path, { headers: admin.headers });
    for (const [method, path] of [
      ['GET', '/sessions'],
      ['POST', '/sessions/x/revoke'],
      ['POST', '/sessions/revoke-others'],
      ['POST', '/logout/all'],
    ] as const)
      expect([path, (await server.send(method, path)).status]).toEqual([path, 401]);

    const other = await organization.again(email);
    const third = await organization.again(email);
    expect((await ask('GET', '/sessions')).json.data).toHaveLength(3);
    expect((await ask('POST', `/sessions/${String(decodeJwt(other.accessToken)['sid'])}/revoke`)).status).toBe(200);
    expect((await ask('POST', '/sessions/revoke-others')).status).toBe(200);
    expect((await ask('GET', '/sessions')).json.data).toHaveLength(1);
    expect((await ask('POST', '/logout/all')).status).toBe(200);
    for (const { headers } of [admin, other, third])
      await until('401 for who was logged out', async () => {
        return (await server.send('GET', me, { headers })).status === 401;
      });
  }),

  'identity-public-get-well-known-jwks-json': holds(async (server) => {
    const { status, json } = await server.send('GET', '/.well-known/jwks.json');
    expect([status, json.keys.length]).toEqual([200, 1]);
    const [key] = json.keys;
    const der = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'der' });
    expect(key.kid).toBe(createHash('sha256').update(der).digest('hex').slice(0, 16));
  }),

  'identity-public-post-auth-password-reset-request': holds(async (server) => {
    const answers = await Promise.all(
      ['member@acme.test', 'nobody-at-all@acme.test'].map((email) =>
        server.send('POST', '/api/v1/auth/password-reset/request', { body: { email, company_code: 'ACME' } }),
      ),
    );
    const odd = await Promise.all(
      [{}, { email: 7 }, { email: 'member@acme.test' }, [], { email: 'x'.repeat(999), company_code: 'ACME' }].map(
        (body) => server.send('POST', '/api/v1/auth/password-reset/request', { body }),
      ),
    );
    for (const { status, json } of [...answers, ...odd]) expect([status, json]).toEqual([200, { success: true }]);
  }),

  'identity-public-get-auth-magic-link-status': holds(async (server) => {
    const { token, email } = await invited(server);
    for (const _time of [1, 2]) {
      const { status, json } = await server.send('GET', `/auth/magic-link/status?token=${token}`);
      expect([status, json]).toEqual([200, expect.objectContaining({ valid: true, email })]);
    }
  }),

  'identity-public-post-auth-magic-link-redeem': holds(async (server) => {
    const { token } = await invited(server);
    const redeem = () => server.send('POST', '/auth/magic-link/redeem', { headers: mobile, body: { token } });
    const { status, json } = await redeem();
    expect([status, json]).toEqual([200, expect.objectContaining({ access_token: expect.any(String) })]);
    const headers = { authorization: `Bearer ${json.access_token}` };
    expect((await server.send('GET', me, { headers })).status).toBe(200);
    expect((await redeem()).status).toBe(401);
  }),

  'identity-public-forced-password-change': holds(async (server) => {
    const { token, email } = await invited(server);
    const { json } = await server.send('POST', '/auth/magic-link/redeem', { headers: mobile, body: { token } });
    expect(json.password_change_required).toBe(true);
    const change = (current_password: string, new_password: string) =>
      server.send('POST', '/api/v1/protected/password', {
        headers: { authorization: `Bearer ${json.access_token}` },
        body: { current_password, new_password },
      });
    expect((await change('', 'Conforming-secret-2')).status).toBe(200);
    expect((await change('', 'Conforming-secret-3')).status).not.toBe(200);
    await server.login(email, 'ACME', 'Conforming-secret-2');
  }),
};

/** "Login rules, in order". */
export const loginRules: Rows = {
  'identity-login-1-license-guard': shownBy(
    'test/identity/license.test.ts',
    'refuses every login, and logs only the reason',
  ),

  'identity-login-2-company-code-missing': holds(async (server) => {
    const { username, password } = demo(server.password());
    const login = (headers: Record<string, string>) =>
      server.send('POST', '/api/v1/login', { headers, body: { username, password } });
    expect((await login({})).status).toBe(400);
    expect((await login({ 'service-platform': 'web' })).status).toBe(400);
    expect((await login(mobile)).status).toBe(200);
  }),

  'identity-login-3-one-user': holds(async (server) => {
    const organization = await server.newOrganization();
    const { status } = await server.send('POST', `/api/v1/internal/orgs/${organization.id}/users`, {
      headers: server.internal(),
      body: {
        username: `by-name-${organization.companyCode}`,
        email: organization.mail('by-mail'),
        given_name: 'By',
        family_name: 'Name',
        password: organization.password,
      },
    });
    expect(status).toBe(201);
    const byName = await organization.again(`by-name-${organization.companyCode}`);
    const byMail = await organization.again(organization.mail('by-mail'));
    expect(byMail.id).toBe(byName.id);
  }),

  'identity-login-4-company-code': holds(async (server) => {
    for (const code of ['ACME', 'acme', 'aCmE']) await server.login('member@acme.test', code);
    const { status, json } = await server.send('POST', '/api/v1/login', {
      body: { ...demo(server.password()), company_code: 'NO-SUCH-COMPANY' },
    });
    expect([status, json.code]).toEqual([401, 'INVALID_CREDENTIALS']);
  }),

  'identity-login-4-not-a-member': holds(async (server) => {
    const wrong = await server.send('POST', '/api/v1/login', { body: demo('not the password') });
    const stranger = await server.send('POST', '/api/v1/login', {
      body: { ...demo(server.password()), company_code: 'PLATFORM' },
    });
    const { requestId: _one, ...told } = wrong.json;
    expect([wrong.status, told.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    expect([stranger.status, stranger.json]).toEqual([wrong.status, expect.objectContaining(told)]);
  }),

  'identity-login-5-organization-status': holds(async (server) => {
    const organization = await server.newOrganization();
    const { headers } = await server.owner();
    await server.send('PUT', `/api/v1/tenancy/organizations/${organization.id}/status`, {
      headers,
      body: { status: 'disabled' },
    });
    const { status, json } = await server.send('POST', '/api/v1/login', {
      body: {
        username: organization.mail('admin'),
        password: organization.password,
        company_code: organization.companyCode,
      },
    });
    expect([status, json.code]).toEqual([403, 'ORG_DISABLED']);
  }, 'ORG_PENDING: test/identity/organizations/self-signup.test.ts'),

  'identity-login-5-account-state': holds(async (server) => {
    const organization = await server.organization();
    const { id, email } = await organization.member();
    expect((await organization.ask('PATCH', `/users/${id}/status`, { body: { status: 'disabled' } })).status).toBe(200);
    const { status, json } = await server.send('POST', '/api/v1/login', {
      body: { username: email, password: organization.password, company_code: organization.companyCode },
    });
    expect([status, json.code]).toEqual([403, 'ACCOUNT_DISABLED']);
  }),

  'identity-login-6-local-user': holds(async (server) => {
    const organization = await server.organization();
    const { id, email } = await organization.member();
    expect((await organization.again(email)).id).toBe(id);
    const { json } = await server.send('GET', `/api/v1/internal/orgs/${organization.id}/users?limit=100`, {
      headers: server.internal(),
    });
    expect(json.data.filter((user: { email: string }) => user.email === email)).toHaveLength(1);
  }, 'on conflict only the e-mail: subgraphs/identity/src/login/login-rules.integration.test.ts'),

  'identity-login-7-role': holds(async (server) => {
    const organization = await server.organization();
    const { id, email, accessToken } = await organization.member();
    const roleOf = (token: string) => (decodeJwt(token)['org'] as { role: string }).role;
    expect(roleOf(accessToken)).toBe('ORG_MEMBER');
    await organization.ask('PATCH', `/users/${id}/role`, { body: { role: 'ORG_MANAGER' } });
    const { json } = await server.send('GET', `/api/v1/internal/users/${id}/roles`, { headers: server.internal() });
    expect([json.role, roleOf((await organization.again(email)).accessToken)]).toEqual(['ORG_MANAGER', 'ORG_MANAGER']);
  }),

  'identity-login-7-role-member': shownBy(
    'subgraphs/identity/src/login/login-rules.integration.test.ts',
    'is the literal member when it can not be read within five seconds',
  ),

  'identity-login-8-tokens': holds(async (server) => {
    const { headers, accessToken, refreshToken } = await server.login('member@acme.test', 'ACME');
    expect((await server.send('GET', me, { headers })).status).toBe(200);
    expect(accessToken).not.toBe(refreshToken);
  }),
};
