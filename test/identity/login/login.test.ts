import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';

import { DEMO_PASSWORD, send, logIn } from '../../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';

let server: SharedServer;

beforeAll(async () => {
  server = await sharedServer();
});

const orgAdmin = { username: 'orgadmin@acme.test', password: DEMO_PASSWORD, company_code: 'acme' };

describe('login', () => {
  it('gives a web client two cookies, and no token in the body', async () => {
    const { status, json, cookies } = await send(server, 'POST', '/api/v1/login', { body: orgAdmin });

    expect(status).toBe(200);
    expect(json).toEqual({
      success: true,
      user: expect.objectContaining({ email: 'orgadmin@acme.test' }),
      expires_in: 900,
      password_change_required: false,
    });
    expect(cookies).toEqual([
      expect.stringMatching(/^access_token=[\w.-]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^refresh_token=[\w.-]+; Max-Age=604800; Path=\/api\/v1; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^device=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it('gives a mobile client both tokens in the body, and no cookie', async () => {
    const { status, json, cookies } = await send(server, 'POST', '/api/v1/login', {
      headers: { 'service-platform': 'mobile' },
      body: orgAdmin,
    });

    expect(status).toBe(200);
    expect(cookies).toEqual([]);
    expect(json).toMatchObject({ success: true, access_token: expect.any(String), refresh_token: expect.any(String) });
  });

  it('signs an RS256 access token with exactly the documented claims, which the published key verifies', async () => {
    const { access_token } = await logIn(server, orgAdmin.username, orgAdmin.company_code);
    const { json: jwks } = await send(server, 'GET', '/.well-known/jwks.json');

    expect(jwks.keys).toHaveLength(1);
    expect(decodeProtectedHeader(access_token)).toMatchObject({ alg: 'RS256', kid: jwks.keys[0].kid });
    await jwtVerify(access_token, await importJWK(jwks.keys[0], 'RS256'));

    const claims = decodeJwt(access_token);
    expect(Object.keys(claims).toSorted()).toEqual(['exp', 'iat', 'iss', 'jti', 'org', 'sid', 'sub', 'uid', 'zid']);
    expect(claims['org']).toEqual({ org_id: expect.any(String), org_slug: expect.any(String), role: 'ORG_ADMIN' });
    expect(claims.exp).toBe((claims.iat ?? 0) + 900);
  });

  it('answers a wrong password, an unknown user and a stranger to the organization alike', async () => {
    const attempts = [
      { ...orgAdmin, password: 'not the password' },
      { ...orgAdmin, username: 'nobody@acme.test' },
      { ...orgAdmin, company_code: 'PLATFORM' },
    ];
    for (const body of attempts) {
      const { status, json } = await send(server, 'POST', '/api/v1/login', { body });
      expect([status, json.code]).toEqual([401, 'INVALID_CREDENTIALS']);
    }
  });

  it('tells a logged-in user who they are, and asks everybody else to sign in', async () => {
    const { headers } = await logIn(server, orgAdmin.username, orgAdmin.company_code);
    const { status, json } = await send(server, 'GET', '/api/v1/identity/users/me', { headers });

    expect(status).toBe(200);
    expect(json).toMatchObject({
      user: { email: 'orgadmin@acme.test' },
      platform_role: null,
      org: { role: 'ORG_ADMIN' },
    });
    expect(json.org.permissions).toHaveLength(23);
    expect(json.org.workspaces.length).toBeGreaterThan(0);
    expect((await send(server, 'GET', '/api/v1/identity/users/me')).status).toBe(401);
  });

  it('rotates both tokens on refresh, and refuses the old one', async () => {
    const { cookies } = await send(server, 'POST', '/api/v1/login', { body: orgAdmin });
    const cookie = cookies.map((set) => set.split(';', 1)[0]).join('; ');
    const refresh = () =>
      send(server, 'POST', '/api/v1/refresh', { headers: { cookie }, body: { client_type: 'web' } });

    const first = await refresh();
    expect(first.status).toBe(200);
    expect(first.cookies.map((set) => set.split('=', 1)[0])).toEqual(['access_token', 'refresh_token']);
    expect(first.cookies.every((set) => !cookie.includes(set.split(';', 1)[0] ?? ''))).toBe(true);

    const second = await refresh();
    expect([second.status, second.json.code]).toEqual([401, 'refresh_token_rotated']);
  });

  it('ends from the page of devices, also when the access token has expired while it was open', async () => {
    const { cookies } = await send(server, 'POST', '/api/v1/login', { body: orgAdmin });
    const cookie = cookies.map((set) => set.split(';', 1)[0]).join('; ');
    const page = await send(server, 'GET', '/login/devices', { headers: { cookie } });
    const [, action = ''] = /action="([^"]*sign-out)"/.exec(page.text) ?? [];
    // A browser sends a cookie to the addresses under its path, until it expires.
    const later = cookies.filter((set) => {
      const [, path = '/'] = /Path=([^;]+)/.exec(set) ?? [];
      return action.startsWith(path) && !set.startsWith('access_token');
    });
    const sent = later.map((set) => set.split(';', 1)[0]).join('; ');
    const logOut = async (headers: Record<string, string>) => {
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await fetch(new URL(action, server.url), { method: 'POST', redirect: 'manual', headers: form });
      return [answer.status, answer.headers.get('location')];
    };
    expect(await logOut({ cookie: sent })).toEqual([303, '/login?notice=ended']);

    const refreshed = await send(server, 'POST', '/api/v1/refresh', {
      headers: { cookie },
      body: { client_type: 'web' },
    });
    expect([refreshed.status, refreshed.json.code]).toEqual([401, 'invalid_refresh_token']);
    // In another tab, which still shows the page.
    expect(await logOut({})).toEqual([303, '/login?notice=ended']);
  });

  it('is not said to have ended by an address to which the browser does not send its cookie', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const url = new URL('/login/sign-out', server.url); // of pages that were opened before another version was started
    const { status, headers } = await fetch(url, { method: 'POST', redirect: 'manual', headers: form });
    expect([status, headers.get('location')]).toEqual([307, '/api/v1/login/sign-out']);
  });

  it('says how to get a password to somebody whose first session expired before they had chosen one', async () => {
    const form = new URLSearchParams({ first: '1', newPassword: 'Another-Secret-1', redirect_uri: '/docs/README.md' });
    const late = await fetch(new URL('/login/password', server.url), { method: 'POST', body: form });
    expect(new URL(late.url).pathname + new URL(late.url).search).toBe(
      '/login?notice=noPassword&redirect_uri=%2Fdocs%2FREADME.md',
    );
    expect(await late.text()).toContain('expired before you chose a password');
  });

  it('shows a refused page in another language with the link that led to it, and what was typed before it', async () => {
    const shown = async (path: string, form: Record<string, string>) => {
      const body = new URLSearchParams(form);
      const page = await (await fetch(new URL(path, server.url), { method: 'POST', body })).text();
      return [...page.matchAll(/<a href="([^"]+)" lang="/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    };
    expect(await shown('/reset-password', { token: 'from-a-mail', newPassword: 'x' })).toContain(
      '/reset-password?token=from-a-mail&lang=bm',
    );
    expect(await shown('/login/sign-up/application', { email: 'mei@acme.test', code: '1' })).toContain(
      '/login/sign-up/application?email=mei%40acme.test&lang=bm',
    );
  });

  it('refuses a refresh without a token, and one without client_type', async () => {
    const without = await send(server, 'POST', '/api/v1/refresh', { body: { client_type: 'web' } });
    expect([without.status, without.json.code]).toEqual([401, 'no_refresh_token']);
    expect((await send(server, 'POST', '/api/v1/refresh', { body: {} })).status).toBe(400);
  });
});
