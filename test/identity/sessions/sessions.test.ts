import { createHash, createHmac, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';

import { decodeJwt, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';

import { legacyToken } from '../../support/fixtures/legacy-tokens.ts';
import { createOrganization, PASSWORD, type OrganizationFixture } from '../../support/fixtures/organization.ts';
import { graphql, send, logIn } from '../../support/fixtures/people.ts';
import { until } from '../../support/until.ts';
import { sharedServer, type SharedServer } from '../../support/servers/shared-server.ts';

let server: SharedServer;
/** Other files log in with the demo accounts: their sessions are neither counted nor ended here. */
let own: OrganizationFixture;

beforeAll(async () => {
  server = await sharedServer();
  own = await createOrganization(server);
  await own.join('member');
});

const me = '/api/v1/identity/users/me';
const nameOf = (setCookie: string) => setCookie.slice(0, setCookie.indexOf('='));
const valueOf = (setCookie: string) => setCookie.slice(setCookie.indexOf('=') + 1, setCookie.indexOf(';'));

async function logInByBrowser() {
  const { status, json, cookies } = await send(server, 'POST', '/api/v1/login', {
    body: { username: own.mail('member'), password: PASSWORD, company_code: own.companyCode.toLowerCase() },
  });
  expect(status).toBe(200);
  const [access = '', refresh = ''] = cookies.map(valueOf);
  return { json, cookies, access, refresh, headers: { cookie: `access_token=${access}; refresh_token=${refresh}` } };
}
const refreshBy = (cookie: string) =>
  send(server, 'POST', '/api/v1/refresh', { headers: { cookie }, body: { client_type: 'web' } });
const refused = (path: string, headers: Record<string, string>) =>
  until(`401 from ${path}`, async () => (await send(server, 'GET', path, { headers })).status === 401, {
    timeoutMs: 5_000,
  });

describe('tokens and cookies', () => {
  it('are sent to a browser as the documented cookies, with that of its device, and never in a body', async () => {
    const { json, cookies } = await logInByBrowser();

    expect(cookies.map((cookie) => cookie.replace(/=[^;]+/, '='))).toEqual([
      'access_token=; Max-Age=900; Path=/; HttpOnly; SameSite=Lax',
      'refresh_token=; Max-Age=604800; Path=/api/v1; HttpOnly; SameSite=Lax',
      'device=; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax',
    ]);
    expect(Object.keys(json).toSorted()).toEqual(['expires_in', 'password_change_required', 'success', 'user']);
  });

  it('are sent to a mobile client in the body, and never as cookies', async () => {
    const { json, cookies } = await send(server, 'POST', '/api/v1/login', {
      headers: { 'service-platform': 'mobile' },
      body: { username: own.mail('member'), password: PASSWORD },
    });
    expect(cookies).toEqual([]);
    expect(json).toMatchObject({ access_token: expect.any(String), refresh_token: expect.any(String) });
  });

  it('open protected routes as a Bearer header, or as a cookie when there is no usable header', async () => {
    const { access, headers } = await logInByBrowser();
    expect((await send(server, 'GET', me, { headers: { authorization: `Bearer ${access}` } })).status).toBe(200);
    expect((await send(server, 'GET', me, { headers })).status).toBe(200);
    for (const authorization of ['Bearer nonsense', 'Basic Zm9yZ2Vk', 'Bearer']) {
      const got = await send(server, 'GET', me, { headers: { ...headers, authorization } });
      expect([authorization, got.status]).toEqual([authorization, 200]);
      expect((await send(server, 'GET', me, { headers: { authorization } })).status).toBe(401);
    }
  });

  it('do not replace a legacy token, which has no cookie', async () => {
    const { headers } = await logInByBrowser();
    const authorization = `Bearer ${await legacyToken(server, { role: 'MEMBER' }, { expires: '-1h' })}`;
    expect((await send(server, 'GET', me, { headers: { ...headers, authorization } })).status).toBe(401);
  });

  it('are found among planted cookies of the same name, which do not lock the user out', async () => {
    const { access, refresh } = await logInByBrowser();
    const cookie = `access_token=tossed; access_token=${access}`;
    expect((await send(server, 'GET', me, { headers: { cookie } })).status).toBe(200);
    expect((await refreshBy(`refresh_token=tossed; refresh_token=${refresh}`)).status).toBe(200);
  });

  it('can not be used by a page of another site to change anything', async () => {
    const { headers } = await logInByBrowser();
    const foreign = { ...headers, origin: 'https://evil.example' };
    for (const beside of [{}, { authorization: 'Bearer nonsense' }])
      for (const path of ['/sessions/revoke-others', '/logout/all', '/api/v1/logout']) {
        const { status, json } = await send(server, 'POST', path, { headers: { ...foreign, ...beside }, body: {} });
        expect([path, status, json.code]).toEqual([path, 403, 'FOREIGN_ORIGIN']);
      }
    expect((await send(server, 'GET', me, { headers })).status).toBe(200);
  });
});

describe('forged, foreign and mistaken tokens', () => {
  it('open nothing', async () => {
    const { access_token, refresh_token } = await own.again('member');
    const keys = (await send(server, 'GET', '/.well-known/jwks.json')).json.keys;
    const publicKey = createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const claims = decodeJwt(access_token);
    const payload = access_token.split('.')[1] ?? '';
    const head = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url');
    const hmac = (header: object) => {
      const signed = `${head(header)}.${payload}`;
      return `${signed}.${createHmac('sha256', String(publicKey)).update(signed).digest('base64url')}`;
    };
    const foreign = (kid: string) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
        .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);

    const tokens = {
      'algorithm confusion': hmac({ alg: 'HS256', typ: 'JWT', kid: keys[0].kid }),
      'no algorithm': `${head({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      'unknown kid': await foreign('0000000000000000'),
      'foreign key': await foreign(keys[0].kid),
      'changed payload': access_token.replace(payload, head({ ...claims, uid: randomUUID() })),
      'refresh used as access': refresh_token,
      'much too long': `${access_token}${'a'.repeat(9_000)}`,
      nonsense: 'a.b.c',
    };
    for (const [what, token] of Object.entries(tokens)) {
      const { status, json } = await send(server, 'GET', me, { headers: { authorization: `Bearer ${token}` } });
      expect([what, status, json.success]).toEqual([what, 401, false]);
    }
  });

  it('refresh nothing: neither an access token nor a forged one', async () => {
    const { access_token } = await own.again('member');
    const forged = await new SignJWT({ sid: randomUUID() })
      .setProtectedHeader({ alg: 'HS256', typ: 'refresh+jwt' })
      .setSubject(randomUUID())
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode('a secret that is not ours'));
    for (const refresh_token of [access_token, forged, 'nonsense']) {
      const { status, json } = await send(server, 'POST', '/api/v1/refresh', {
        body: { client_type: 'mobile', refresh_token },
      });
      expect([status, json.code]).toEqual([401, 'invalid_refresh_token']);
    }
  });
});

describe('refreshing', () => {
  it('requires client_type with 400, and the token with no_refresh_token', async () => {
    expect((await send(server, 'POST', '/api/v1/refresh', { body: {} })).status).toBe(400);
    const { status, json } = await refreshBy('other=cookie');
    expect([status, json.code]).toEqual([401, 'no_refresh_token']);
  });

  it('succeeds for exactly one of ten at the same time, and keeps the session', async () => {
    const { refresh } = await logInByBrowser();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refreshBy(`refresh_token=${refresh}`)));

    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    expect(answers.filter(({ json }) => json.code === 'refresh_token_rotated')).toHaveLength(9);
    expect(winner?.cookies.map(nameOf)).toEqual(['access_token', 'refresh_token']);
    expect((await refreshBy(`refresh_token=${valueOf(winner?.cookies[1] ?? '')}`)).status).toBe(200);
  });
});

describe('logging out', () => {
  it('ends the session, clears both cookies, and invalidates the access token', async () => {
    const { headers, refresh } = await logInByBrowser();
    const { status, cookies } = await send(server, 'POST', '/api/v1/protected/logout', { headers });

    expect(status).toBe(200);
    expect(cookies.map((cookie) => cookie.split(';').slice(0, 3).join(';'))).toEqual([
      'access_token=; Max-Age=0; Path=/',
      'refresh_token=; Max-Age=0; Path=/api/v1',
    ]);
    await refused(me, headers);
    expect((await refreshBy(`refresh_token=${refresh}`)).json.code).toBe('invalid_refresh_token');
  });

  it('answers 401 without a valid access token, and still ends the session of the refresh cookie', async () => {
    const { refresh } = await logInByBrowser();
    const headers = { cookie: `refresh_token=${refresh}` };
    const { status, cookies } = await send(server, 'POST', '/api/v1/protected/logout', { headers });

    expect([status, cookies.map(nameOf)]).toEqual([401, ['access_token', 'refresh_token']]);
    expect((await refreshBy(headers.cookie)).status).toBe(401);
  });

  it('needs only the refresh cookie at /api/v1/logout', async () => {
    const { refresh } = await logInByBrowser();
    const headers = { cookie: `refresh_token=${refresh}` };
    expect((await send(server, 'POST', '/api/v1/logout', { headers })).status).toBe(200);
    expect((await refreshBy(headers.cookie)).status).toBe(401);
  });
});

describe.each(['', '/api/v1'])('the sessions under %j', (prefix) => {
  it('are listed with their devices, and ended one, all others, or all', async () => {
    await send(server, 'POST', '/logout/all', { headers: (await logInByBrowser()).headers });
    const first = await logInByBrowser();
    const second = await logInByBrowser();
    await logInByBrowser();
    const list = async () => (await send(server, 'GET', `${prefix}/sessions`, { headers: first.headers })).json;

    const all = await list();
    expect(all).toMatchObject({ success: true, pagination: { page: 1, limit: 20, total: 3, totalPages: 1 } });
    const current = all.data.filter((session: { current: boolean }) => session.current);
    expect(current).toEqual([
      {
        id: decodeJwt(first.access)['sid'],
        platform: 'web',
        device: expect.any(String),
        ip: '127.0.0.1',
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
        current: true,
      },
    ]);

    const id = String(decodeJwt(second.access)['sid']);
    const revoke = () => send(server, 'POST', `${prefix}/sessions/${id}/revoke`, { headers: first.headers });
    expect((await revoke()).json).toEqual({ success: true, revoked: 1 });
    expect(await revoke()).toMatchObject({ status: 404, json: { code: 'SESSION_NOT_FOUND' } });
    await refused(me, second.headers);

    const others = await send(server, 'POST', `${prefix}/sessions/revoke-others`, { headers: first.headers });
    expect(others.json).toEqual({ success: true, revoked: 1 });
    expect((await list()).pagination.total).toBe(1);

    const everywhere = await send(server, 'POST', `${prefix}/logout/all`, { headers: first.headers });
    expect(everywhere.json).toEqual({ success: true, revoked: 1 });
    expect(everywhere.cookies.map(nameOf)).toEqual(['access_token', 'refresh_token']);
    await refused(`${prefix}/sessions`, first.headers);
  });

  it('are not shown without a token', async () => {
    const id = randomUUID();
    for (const [method, path] of [
      ['GET', '/sessions'],
      ['GET', '/sessions/stream'],
      ['POST', `/sessions/${id}/revoke`],
      ['POST', '/sessions/revoke-others'],
      ['POST', '/logout/all'],
    ] as const) {
      const { status, json } = await send(server, method, `${prefix}${path}`);
      expect([path, status, json.code]).toEqual([path, 401, 'UNAUTHENTICATED']);
    }
  });
});

describe('the key set', () => {
  it('has one key, whose kid is the first eight bytes of the SHA-256 of its DER', async () => {
    const { headers, json } = await send(server, 'GET', '/.well-known/jwks.json');
    const [key, ...others] = json.keys;
    const der = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'der' });
    expect(others).toEqual([]);
    expect(key.kid).toBe(createHash('sha256').update(der).digest().subarray(0, 8).toString('hex'));
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    const again = { 'if-none-match': headers.get('etag') ?? '' };
    expect((await send(server, 'GET', '/.well-known/jwks.json', { headers: again })).status).toBe(304);
  });
});

describe('the audit log', () => {
  const read = `query ($organizationId: ID!, $after: String) {
    auditLog(organizationId: $organizationId, first: 2, after: $after) {
      totalCount pageInfo { endCursor } edges { node { id action result reason ip actor { name } } }
    }
  }`;

  it('is shown to holders of org:security:view, the newest first, page by page', async () => {
    const organization = await createOrganization(server);
    const { id: organizationId, companyCode, admin } = organization;
    await organization.join('mei');
    await send(server, 'POST', '/api/v1/login', {
      body: { username: 'nobody', password: 'Wrong-password-1', company_code: companyCode },
    });
    await organization.again('mei');

    const { data } = await graphql(server, read, { organizationId }, admin.headers);
    const [newest, before] = data.auditLog.edges.map(({ node }: { node: unknown }) => node);
    expect(newest).toMatchObject({ action: 'session.opened', result: 'DONE', actor: { name: 'mei Test' } });
    expect(before).toMatchObject({ action: 'session.refused', result: 'REFUSED', reason: 'INVALID_CREDENTIALS' });
    const after = data.auditLog.pageInfo.endCursor;
    const older = await graphql(server, read, { organizationId, after }, admin.headers);
    expect(Number(older.data.auditLog.edges[0].node.id)).toBeLessThan(Number(before.id));
  });

  it('is closed to everybody else, and to other organizations', async () => {
    const member = await own.again('member');
    const owner = await logIn(server, 'admin@foyer.test', 'PLATFORM');
    const organizationId = (decodeJwt(member.access_token)['org'] as { org_id: string }).org_id;
    for (const { headers } of [member, owner]) {
      const { errors } = await graphql(server, read, { organizationId }, headers);
      expect(errors[0].extensions.code).toBe('FORBIDDEN');
    }
  });
});
