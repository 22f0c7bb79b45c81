import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { decodeJwt, decodeProtectedHeader } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';

import { mailsTo } from '../../support/servers/inbox.ts';
import { createOrganization, PASSWORD, type OrganizationFixture } from '../../support/fixtures/organization.ts';
import { DEMO_PASSWORD, send, logIn } from '../../support/fixtures/people.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';
import { until } from '../../support/until.ts';
import { prepareUpload } from '../../support/fixtures/uploads.ts';

const ME = '/api/v1/identity/users/me';
const WRONG_PASSWORD = 'Wrong-password-1';

let server: SharedServer;
let organization: OrganizationFixture;

beforeAll(async () => {
  server = await sharedServer();
  organization = await createOrganization(server);
  await organization.join('member');
});

const valueOf = (setCookie = '') => setCookie.slice(setCookie.indexOf('=') + 1, setCookie.indexOf(';'));
const me = (token: string) => send(server, 'GET', ME, { headers: { authorization: `Bearer ${token}` } });
const refresh = (refresh_token: string) =>
  send(server, 'POST', '/api/v1/refresh', { body: { client_type: 'mobile', refresh_token } });
const emailOf = (name: string) => `${name}@${organization.companyCode.toLowerCase()}.test`;
const logInByBrowser = (name: string, cookie: string) =>
  send(server, 'POST', '/api/v1/login', {
    headers: { cookie },
    body: { username: emailOf(name), password: PASSWORD, company_code: organization.companyCode },
  });

/** The token in the newest mail about a forgotten password. */
async function resetToken(name: string): Promise<string> {
  const email = emailOf(name);
  const body = { email, company_code: organization.companyCode };
  await send(server, 'POST', '/api/v1/auth/password-reset/request', { body });
  const mail = await until(`a mail to ${email}`, async () => (await mailsTo(server, email)).at(-1));
  return /token=([\w-]+)/.exec(mail.text)?.[1] ?? '';
}

async function licenseKey(): Promise<string> {
  const { headers } = await logIn(server, 'admin@foyer.test', 'PLATFORM');
  const { json } = await send(server, 'POST', '/api/v1/tenancy/organizations', {
    headers,
    body: {
      name: 'Mixed up',
      company_code: `MIXED-${organization.companyCode}`,
      hosting_type: 'on_prem',
      license_duration_days: 30,
    },
  });
  return json.data.license_key as string;
}

describe('a token that was made for another purpose', () => {
  it.each([
    ['a license key', licenseKey],
    [
      'an upload token',
      () => prepareUpload(server, { size: 9, fileName: 'mix-up.mp4', folder: organization.companyCode }),
    ],
    ['the link to reset a password', () => resetToken('admin')],
    ['a refresh token', async () => (await organization.again('member')).refresh_token],
  ])('%s is not accepted as an access token, neither as Bearer header nor as cookie', async (_what, obtain) => {
    const token = await obtain();
    expect(token.length).toBeGreaterThan(20);
    expect((await me(token)).status).toBe(401);
    expect((await send(server, 'GET', ME, { headers: { cookie: `access_token=${token}` } })).status).toBe(401);
  });

  it.each([
    ['an access token', async () => (await organization.again('member')).access_token],
    [
      'an upload token',
      () => prepareUpload(server, { size: 9, fileName: 'mix-up-2.mp4', folder: organization.companyCode }),
    ],
  ])('%s refreshes nothing', async (_what, obtain) => {
    expect(await refresh(await obtain())).toMatchObject({ status: 401, json: { code: 'invalid_refresh_token' } });
  });
});

describe('the headers of the tokens', () => {
  it('access: RS256, with the kid of the one key in the key set; refresh: HS256, with none', async () => {
    const { access_token, refresh_token } = await organization.again('member');
    const { keys } = (await send(server, 'GET', '/.well-known/jwks.json')).json as { keys: Record<string, string>[] };
    expect(decodeProtectedHeader(access_token)).toEqual({ alg: 'RS256', typ: 'JWT', kid: keys[0]?.['kid'] });
    expect(decodeProtectedHeader(refresh_token)).toEqual({ alg: 'HS256', typ: 'refresh+jwt' });
    // No field of the private key (d, p, q, dp, dq, qi) is published.
    expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([['alg', 'e', 'kid', 'kty', 'n', 'use']]);
  });

  it('live 900 seconds and 168 hours', async () => {
    const { access_token, refresh_token } = await organization.again('member');
    const lifetimes = [access_token, refresh_token].map(decodeJwt).map(({ iat = 0, exp = 0 }) => exp - iat);
    expect(lifetimes).toEqual([900, 168 * 3_600]);
  });
});

describe('session fixation', () => {
  it('a login with planted cookies opens a session of its own, and the planted tokens stay unchanged', async () => {
    const attacker = await organization.again('admin');
    const planted = `access_token=${attacker.access_token}; refresh_token=${attacker.refresh_token}`;

    const { status, cookies } = await logInByBrowser('member', planted);

    expect(status).toBe(200);
    const [access, renewed] = cookies.map(valueOf);
    expect(access).not.toBe(attacker.access_token);
    expect(renewed).not.toBe(attacker.refresh_token);
    const [known, victim] = [attacker.access_token, access ?? ''].map(decodeJwt);
    expect(victim?.['sid']).not.toBe(known?.['sid']);
    expect((await me(access ?? '')).json.user.email).toBe(emailOf('member'));
    // The attacker who planted them still has only their own session, also after a refresh.
    const { json } = await refresh(attacker.refresh_token);
    expect(decodeJwt(json.access_token as string)['uid']).toBe(known?.['uid']);
  });

  it('a second login of the same person, with the cookies of the first, gets new ones', async () => {
    const first = await logInByBrowser('member', 'theme=dark');
    const before = first.cookies.map(valueOf);
    const second = await logInByBrowser('member', `access_token=${before[0]}; refresh_token=${before[1]}`);
    const after = second.cookies.map(valueOf);

    expect(after[1]).not.toBe(before[1]);
    expect(decodeJwt(after[0] ?? '')['sid']).not.toBe(decodeJwt(before[0] ?? '')['sid']);
  });

  it('a token that no service has issued is not adopted by the login', async () => {
    const { cookies } = await logInByBrowser('member', 'access_token=planted; refresh_token=planted');
    expect(cookies.map(valueOf)).not.toContain('planted');
    expect((await send(server, 'GET', ME, { headers: { cookie: 'access_token=planted' } })).status).toBe(401);
  });
});

describe('the log, at its most verbose', () => {
  beforeAll(async () => {
    server = await sharedServer('strict');
    organization = await createOrganization(server);
    await organization.join('member');
  });

  it('contains nothing of the exchange with the identity provider, and no token of ours', async () => {
    const { access_token, refresh_token } = await organization.again('member');
    const rotated = (await refresh(refresh_token)).json as { access_token: string; refresh_token: string };
    await send(server, 'POST', '/api/v1/login', {
      body: { username: emailOf('member'), password: WRONG_PASSWORD, company_code: organization.companyCode },
    });
    const link = await resetToken('member');
    await send(server, 'GET', `/auth/magic-link/status?token=${link}`);
    const bearerToken = (await readFile(join(server.dataDir, 'identity-provider/service-user.pat'), 'utf8')).trim();

    // The welcome text above it contains the password of the demo accounts.
    const log = (await server.printed()).split('Ctrl-C stops it.').at(-1) ?? '';

    expect(log).toContain('/api/v1/login'); // so that the log is not empty
    const tokens = [access_token, refresh_token, rotated.access_token, rotated.refresh_token];
    const signatures = tokens.map((token) => token.split('.')[2] ?? '');
    for (const secret of [DEMO_PASSWORD, PASSWORD, WRONG_PASSWORD, bearerToken, link, ...signatures]) {
      expect(secret.length).toBeGreaterThan(10);
      expect(log.includes(secret)).toBe(false);
    }
  });
});
