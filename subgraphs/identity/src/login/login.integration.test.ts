import { demo } from '@foyer/shared/demo';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';

let identity: TestIdentity;

beforeAll(async () => {
  identity = await startTestIdentity();
});

afterAll(() => identity.stop());

beforeEach(() => identity.db.refreshSession.deleteMany());

describe('login', () => {
  it('gives a browser its tokens as cookies, and nothing that a script could read', async () => {
    const { data, cookies } = await identity.login('orgadmin@acme.test', 'acme', { platform: 'WEB' });

    expect(data?.['login']).toEqual({
      user: { email: 'orgadmin@acme.test', name: 'Aisha Rahman' },
      accessToken: null,
      refreshToken: null,
      expiresIn: 900,
      passwordChangeRequired: false,
    });
    const common = {
      domain: 'foyer.example',
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      value: expect.any(String),
    };
    expect(cookies).toEqual([
      { ...common, name: 'access_token', path: '/', maxAgeSeconds: 900 },
      { ...common, name: 'refresh_token', path: '/api/v1', maxAgeSeconds: 604_800 },
      { ...common, name: 'device', path: '/', maxAgeSeconds: 31_536_000 },
    ]);
  });

  it('gives a mobile client both tokens in the answer, with exactly the documented claims', async () => {
    const { accessToken } = await identity.loggedIn('orgadmin@acme.test', 'ACME');

    const claims = decodeJwt(accessToken);
    expect(Object.keys(claims).toSorted()).toEqual(['exp', 'iat', 'iss', 'jti', 'org', 'sid', 'sub', 'uid', 'zid']);
    expect(claims['org']).toEqual({ org_id: demo.acme.organizationId, org_slug: 'acme', role: 'ORG_ADMIN' });
    expect(decodeProtectedHeader(accessToken)).toEqual({
      alg: 'RS256',
      typ: 'JWT',
      kid: expect.stringMatching(/^[\da-f]{16}$/),
    });
  });

  it('lets a mobile client leave the company code out, and nobody else', async () => {
    expect((await identity.login('orgadmin@acme.test', null)).data).not.toBeNull();
    expect((await identity.login('orgadmin@acme.test', null, { platform: 'WEB' })).error?.['reason']).toBe(
      'COMPANY_CODE_REQUIRED',
    );
  });

  it('answers a wrong password, a stranger, a wrong company code and somebody of another organization alike', async () => {
    const answers = [
      await identity.login('orgadmin@acme.test', 'ACME', { password: 'Wrong-password-1' }),
      await identity.login('nobody@acme.test', 'ACME'),
      await identity.login('orgadmin@acme.test', 'NOWHERE'),
      await identity.login('orgadmin@acme.test', 'PLATFORM'),
    ];

    for (const { error } of answers)
      expect(error).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'INVALID_CREDENTIALS' });
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1);
    expect(await identity.db.refreshSession.count()).toBe(0);
  });

  it('refuses a disabled organization and a disabled account, each with its own reason', async () => {
    const acme = { where: { id: demo.acme.organizationId } };
    await identity.db.authOrganization.update({ ...acme, data: { status: 'disabled' } });
    const inDisabledOrganization = await identity.login('member@acme.test', 'ACME');
    await identity.db.authOrganization.update({ ...acme, data: { status: 'active' } });
    await identity.db.authUser.updateMany({ where: { email: 'member@acme.test' }, data: { accountState: 'disabled' } });
    const withDisabledAccount = await identity.login('member@acme.test', 'ACME');
    await identity.db.authUser.updateMany({ where: { email: 'member@acme.test' }, data: { accountState: 'active' } });

    expect(inDisabledOrganization.error).toMatchObject({ code: 'FORBIDDEN', reason: 'ORG_DISABLED' });
    expect(withDisabledAccount.error).toMatchObject({ code: 'FORBIDDEN', reason: 'ACCOUNT_DISABLED' });
  });

  it('is not possible when the license is for another company', async () => {
    const unlicensed = await identity.open({ DEFAULT_ORGANIZATION_COMPANY_CODE: 'OTHER' });
    await unlicensed.startUp();

    const { error } = await identity.login('orgadmin@acme.test', 'ACME', {}, { instance: unlicensed });

    expect(error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', reason: 'LICENSE_EXPIRED' });
    await unlicensed.stop();
  });
});

describe('refreshing a session', () => {
  it('exchanges a refresh token once', async () => {
    const { refreshToken } = await identity.loggedIn('member@acme.test', 'ACME');

    const first = await identity.refresh(refreshToken);
    const second = await identity.refresh(refreshToken);

    expect(first.data?.['refresh']).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      expiresIn: 900,
    });
    expect(second.error?.['reason']).toBe('refresh_token_rotated');
  });

  it('lets exactly one of ten simultaneous refreshes succeed, and keeps its session', async () => {
    const { refreshToken } = await identity.loggedIn('member@acme.test', 'ACME');

    const answers = await Promise.all(Array.from({ length: 10 }, () => identity.refresh(refreshToken)));

    const won = answers.filter(({ data }) => data);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ error }) => error?.['reason'] === 'refresh_token_rotated')).toHaveLength(9);
    const winner = won[0]?.data?.['refresh'] as { refreshToken: string } | undefined;
    expect((await identity.refresh(winner?.refreshToken)).error).toBeUndefined();
  });

  it('gives a browser that lost the race an access token and nothing else, where a grace is configured', async () => {
    const lenient = await identity.open({ REFRESH_GRACE_SECONDS: '10' });
    const { refreshToken } = await identity.loggedIn('member@acme.test', 'ACME');
    const document = 'mutation ($input: RefreshInput!) { refresh(input: $input) { accessToken refreshToken } }';
    const refresh = (clientType: string) =>
      identity.ask(document, { input: { clientType, refreshToken } }, { instance: lenient });

    const winner = await refresh('WEB');
    const loser = await refresh('WEB');
    const thief = await refresh('MOBILE');

    expect(winner.cookies.map(({ name }) => name)).toEqual(['access_token', 'refresh_token']);
    expect(loser.cookies.map(({ name }) => name)).toEqual(['access_token']);
    expect(thief.error?.['reason']).toBe('refresh_token_rotated');
    await lenient.stop();
  });

  it('ends the session when a token is reused', async () => {
    const { refreshToken } = await identity.loggedIn('member@acme.test', 'ACME');
    const renewed = (await identity.refresh(refreshToken)).data?.['refresh'] as { refreshToken: string };
    await identity.db.refreshSession.updateMany({ data: { rotatedAt: new Date(Date.now() - 11_000) } });

    const replayed = await identity.refresh(refreshToken);

    expect(replayed.error?.['reason']).toBe('refresh_token_reused');
    expect((await identity.refresh(renewed.refreshToken)).error?.['reason']).toBe('invalid_refresh_token');
    expect(await identity.db.authOutbox.findFirst({ orderBy: { id: 'desc' } })).toMatchObject({
      topic: 'session_revoked',
    });
  });

  it('requires the client type, then the token', async () => {
    expect((await identity.refresh(undefined, null)).error).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'CLIENT_TYPE_REQUIRED',
    });
    expect((await identity.refresh(undefined, 'WEB')).error).toMatchObject({
      code: 'UNAUTHENTICATED',
      reason: 'no_refresh_token',
    });
  });

  it('does not accept an access token as a refresh token', async () => {
    const { accessToken } = await identity.loggedIn('member@acme.test', 'ACME');
    expect((await identity.refresh(accessToken)).error?.['reason']).toBe('invalid_refresh_token');
  });
});

describe('logout', () => {
  it('ends the session of the access token, and clears both cookies', async () => {
    const { accessToken, refreshToken } = await identity.loggedIn('member@acme.test', 'ACME');

    const { data, cookies } = await identity.ask('mutation { logout { ended } }', {}, { token: accessToken });

    expect(data?.['logout']).toEqual({ ended: true });
    expect(cookies).toMatchObject([
      { name: 'access_token', path: '/', value: '', maxAgeSeconds: 0 },
      { name: 'refresh_token', path: '/api/v1', value: '', maxAgeSeconds: 0 },
    ]);
    expect((await identity.refresh(refreshToken)).error?.['reason']).toBe('invalid_refresh_token');
  });

  it('ends the session of the refresh token even where it has to answer 401', async () => {
    const { refreshToken } = await identity.loggedIn('member@acme.test', 'ACME');
    const document = 'mutation ($input: LogoutInput) { logout(input: $input) { ended } }';

    const { error, cookies } = await identity.ask(document, { input: { refreshToken, accessTokenRequired: true } });

    expect(error?.['code']).toBe('UNAUTHENTICATED');
    expect(cookies).toHaveLength(2);
    expect(await identity.db.refreshSession.count()).toBe(0);
  });
});

describe('a block', () => {
  it('revokes the tokens from before it, and not those from after it', async () => {
    const unaware = await identity.open();
    const { accessToken, refreshToken } = await identity.loggedIn('viewer@acme.test', 'ACME');
    const userId = String(decodeJwt(accessToken)['uid']);
    const inASecond = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000);
    await identity.db.userBlock.create({
      data: { userId, notBefore: inASecond, expiresAt: new Date(Date.now() + 900_000) },
    });

    await expect(unaware.authenticate({ authorization: `Bearer ${accessToken}` })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    const renewed = (await identity.refresh(refreshToken)).data?.['refresh'] as { accessToken: string };
    await expect(unaware.authenticate({ authorization: `Bearer ${renewed.accessToken}` })).resolves.toMatchObject({
      by: 'bearer',
    });
    await identity.db.userBlock.deleteMany();
  });
});
