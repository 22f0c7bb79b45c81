import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openDatabase, type PrismaClient } from '@foyer/prisma/client';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@foyer/prisma/embedded';
import { deployMigrations } from '@foyer/prisma/migrate';
import { systemClock } from '@foyer/shared/clock';
import { demo } from '@foyer/shared/demo';
import { inProcessEvents } from '@foyer/shared/events';
import { openLog } from '@foyer/shared/log';
import type { RequestScope } from '@foyer/shared/request';
import { execute, parse } from 'graphql';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { createIdentity, type Identity } from '../app.ts';
import { readConfig } from '../config.ts';
import { startIdentityProvider, type EmbeddedIdentityProvider } from '../doubles/identity-provider.ts';
import { issueLicense } from '../license/license.ts';

const password = 'Foyer-demo-1';
const pem = { privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } } as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, ...pem });
const licensing = generateKeyPairSync('ed25519', pem);
const inAYear = new Date(Date.now() + 365 * 86_400_000);

let folder: string;
let postgres: EmbeddedPostgres;
let provider: EmbeddedIdentityProvider;
let db: PrismaClient;
let identity: Identity;

const open = async (changes: NodeJS.ProcessEnv = {}) => {
  const config = readConfig({
    AUTH_JWT_PRIVATE_KEY: rsa.privateKey,
    AUTH_JWT_REFRESH_SECRET: 'a secret for refresh tokens',
    AUTH_BASE_URL: 'https://foyer.example',
    AUTH_COOKIE_DOMAIN: 'foyer.example',
    IDP_URL: provider.url,
    IDP_PAT_FILE: provider.tokenFile,
    LOGIN_FLOOR_MS: '0',
    LICENSE_PUBLIC_KEY: licensing.publicKey,
    LICENSE_KEY: await issueLicense(licensing.privateKey, { companyCode: 'Platform', hostingType: 'cloud', expiresAt: inAYear }),
    ...changes,
  });
  const jobs = { enqueue: () => Promise.resolve() };
  return createIdentity({ config, db, events: inProcessEvents(), jobs, clock: systemClock, log: openLog('silent') });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-identity-'));
  [postgres, provider] = await Promise.all([
    startEmbeddedPostgres(join(folder, 'postgres'), { durable: false }),
    startIdentityProvider({
      folder: join(folder, 'provider'),
      platform: { name: 'Foyer', admin: { username: 'admin@foyer.test', password } },
    }),
  ]);
  await deployMigrations(postgres.url);
  db = openDatabase(postgres.url);
  identity = await open();
  await identity.startUp();
});

afterAll(async () => {
  await identity.stop();
  await db.$disconnect();
  await Promise.all([postgres.stop(), provider.stop()]);
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => db.refreshSession.deleteMany());

interface Asked {
  token?: string | undefined;
  house?: Identity;
}

/** Asks the subgraph as the edge would. */
async function ask(document: string, variables: Record<string, unknown> = {}, { token, house = identity }: Asked = {}) {
  const { viewer } = await house.authenticate({ authorization: token && `Bearer ${token}` });
  const scope: RequestScope = {
    requestId: 'test',
    viewer,
    client: { address: '192.0.2.1', userAgent: 'a browser' },
    signal: new AbortController().signal,
    reply: { cookies: [] },
  };
  const answer = await execute({ schema: house.schema, document: parse(document), variableValues: variables, contextValue: house.contextFor(scope) });
  const [error] = answer.errors ?? [];
  return { data: answer.data as Record<string, never> | null, error: error?.extensions, message: error?.message, cookies: scope.reply.cookies };
}

const loginMutation = `mutation ($input: LoginInput!) {
  login(input: $input) { user { email name } accessToken refreshToken expiresIn passwordChangeRequired }
}`;
const refreshMutation = `mutation ($input: RefreshInput!) { refresh(input: $input) { accessToken refreshToken expiresIn } }`;

const login = (username: string, companyCode: string | null, changes: Record<string, unknown> = {}, asked: Asked = {}) =>
  ask(loginMutation, { input: { username, password, companyCode, platform: 'MOBILE', ...changes } }, asked);

async function signedIn(username: string, companyCode: string): Promise<{ accessToken: string; refreshToken: string }> {
  const { data, message } = await login(username, companyCode);
  if (!data) throw new Error(message);
  return data['login'] as unknown as { accessToken: string; refreshToken: string };
}

const refresh = (refreshToken: string | undefined, clientType: string | null = 'MOBILE') =>
  ask(refreshMutation, { input: { clientType, refreshToken } });

describe('signing in', () => {
  it('gives a browser its tokens as cookies, and nothing that a script could read', async () => {
    const { data, cookies } = await login('orgadmin@acme.test', 'acme', { platform: 'WEB' });

    expect(data?.['login']).toEqual({
      user: { email: 'orgadmin@acme.test', name: 'Aisha Rahman' },
      accessToken: null,
      refreshToken: null,
      expiresIn: 900,
      passwordChangeRequired: false,
    });
    const common = { domain: 'foyer.example', httpOnly: true, secure: true, sameSite: 'Lax', value: expect.any(String) };
    expect(cookies).toEqual([
      { ...common, name: 'access_token', path: '/', maxAgeSeconds: 900 },
      { ...common, name: 'refresh_token', path: '/api/v1', maxAgeSeconds: 604_800 },
    ]);
  });

  it('gives a mobile client both tokens in the answer, with exactly the documented claims', async () => {
    const { accessToken } = await signedIn('orgadmin@acme.test', 'ACME');

    const claims = decodeJwt(accessToken);
    expect(Object.keys(claims).toSorted()).toEqual(['exp', 'iat', 'iss', 'jti', 'org', 'sid', 'sub', 'uid', 'zid']);
    expect(claims['org']).toEqual({ org_id: demo.acme.organizationId, org_slug: 'acme', role: 'ORG_ADMIN' });
    expect(decodeProtectedHeader(accessToken)).toEqual({ alg: 'RS256', typ: 'JWT', kid: expect.stringMatching(/^[\da-f]{16}$/) });
  });

  it('lets a mobile client leave the company code out, and nobody else', async () => {
    expect((await login('orgadmin@acme.test', null)).data).not.toBeNull();
    expect((await login('orgadmin@acme.test', null, { platform: 'WEB' })).error?.['reason']).toBe('COMPANY_CODE_REQUIRED');
  });

  it('says the same to a wrong password, a stranger, a wrong company code and somebody of another organization', async () => {
    const answers = [
      await login('orgadmin@acme.test', 'ACME', { password: 'Wrong-password-1' }),
      await login('nobody@acme.test', 'ACME'),
      await login('orgadmin@acme.test', 'NOWHERE'),
      await login('orgadmin@acme.test', 'PLATFORM'),
    ];

    for (const { error } of answers) expect(error).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'INVALID_CREDENTIALS' });
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1);
    expect(await db.refreshSession.count()).toBe(0);
  });

  it('refuses a disabled organization and a disabled account, each by its name', async () => {
    const acme = { where: { id: demo.acme.organizationId } };
    await db.authOrganization.update({ ...acme, data: { status: 'disabled' } });
    const inDisabledOrganization = await login('member@acme.test', 'ACME');
    await db.authOrganization.update({ ...acme, data: { status: 'active' } });
    await db.authUser.updateMany({ where: { email: 'member@acme.test' }, data: { accountState: 'disabled' } });
    const withDisabledAccount = await login('member@acme.test', 'ACME');
    await db.authUser.updateMany({ where: { email: 'member@acme.test' }, data: { accountState: 'active' } });

    expect(inDisabledOrganization.error).toMatchObject({ code: 'FORBIDDEN', reason: 'ORG_DISABLED' });
    expect(withDisabledAccount.error).toMatchObject({ code: 'FORBIDDEN', reason: 'ACCOUNT_DISABLED' });
  });

  it('is not possible when the license is for another company', async () => {
    const unlicensed = await open({ DEFAULT_ORGANIZATION_COMPANY_CODE: 'OTHER' });
    await unlicensed.startUp();

    const { error } = await login('orgadmin@acme.test', 'ACME', {}, { house: unlicensed });

    expect(error).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', reason: 'LICENSE_EXPIRED' });
    await unlicensed.stop();
  });
});

describe('staying signed in', () => {
  it('exchanges a refresh token once', async () => {
    const { refreshToken } = await signedIn('member@acme.test', 'ACME');

    const first = await refresh(refreshToken);
    const second = await refresh(refreshToken);

    expect(first.data?.['refresh']).toEqual({ accessToken: expect.any(String), refreshToken: expect.any(String), expiresIn: 900 });
    expect(second.error?.['reason']).toBe('refresh_token_rotated');
  });

  it('lets exactly one of ten simultaneous refreshes succeed, and keeps its session', async () => {
    const { refreshToken } = await signedIn('member@acme.test', 'ACME');

    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)));

    const won = answers.filter(({ data }) => data);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ error }) => error?.['reason'] === 'refresh_token_rotated')).toHaveLength(9);
    const winner = (won[0]?.data?.['refresh'] as unknown as { refreshToken: string }).refreshToken;
    expect((await refresh(winner)).error).toBeUndefined();
  });

  it('ends the session when a token turns up that was used before', async () => {
    const { refreshToken } = await signedIn('member@acme.test', 'ACME');
    const renewed = (await refresh(refreshToken)).data?.['refresh'] as unknown as { refreshToken: string };
    await db.refreshSession.updateMany({ data: { rotatedAt: new Date(Date.now() - 11_000) } });

    const replayed = await refresh(refreshToken);

    expect(replayed.error?.['reason']).toBe('refresh_token_reused');
    expect((await refresh(renewed.refreshToken)).error?.['reason']).toBe('invalid_refresh_token');
    expect(await db.authOutbox.findFirst({ orderBy: { id: 'desc' } })).toMatchObject({ topic: 'session_revoked' });
  });

  it('asks for the client type, then for the token', async () => {
    expect((await refresh(undefined, null)).error).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'CLIENT_TYPE_REQUIRED' });
    expect((await refresh(undefined, 'WEB')).error).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'no_refresh_token' });
  });

  it('takes no access token for a refresh token', async () => {
    const { accessToken } = await signedIn('member@acme.test', 'ACME');
    expect((await refresh(accessToken)).error?.['reason']).toBe('invalid_refresh_token');
  });
});

describe('signing out', () => {
  it('ends the session of the access token, and takes both cookies away', async () => {
    const { accessToken, refreshToken } = await signedIn('member@acme.test', 'ACME');

    const { data, cookies } = await ask('mutation { logout { ended } }', {}, { token: accessToken });

    expect(data?.['logout']).toEqual({ ended: true });
    expect(cookies).toMatchObject([
      { name: 'access_token', path: '/', value: '', maxAgeSeconds: 0 },
      { name: 'refresh_token', path: '/api/v1', value: '', maxAgeSeconds: 0 },
    ]);
    expect((await refresh(refreshToken)).error?.['reason']).toBe('invalid_refresh_token');
  });

  it('ends the session of the refresh token even where it has to answer 401', async () => {
    const { refreshToken } = await signedIn('member@acme.test', 'ACME');
    const document = 'mutation ($input: LogoutInput) { logout(input: $input) { ended } }';

    const { error, cookies } = await ask(document, { input: { refreshToken, accessTokenRequired: true } });

    expect(error?.['code']).toBe('UNAUTHENTICATED');
    expect(cookies).toHaveLength(2);
    expect(await db.refreshSession.count()).toBe(0);
  });
});

describe('who am I', () => {
  const meQuery = `{ me { user { email } platformRole platformPermissions
    organization { id name slug role permissions workspaces { name role permissions } } } }`;

  it.each([
    ['orgadmin@acme.test', 'ORG_ADMIN', 23, { 'Acme Main': 33, 'Acme Studio': 33 }],
    ['member@acme.test', 'ORG_MEMBER', 0, { 'Acme Main': 26 }],
    ['viewer@acme.test', 'ORG_MEMBER', 0, { 'Acme Main': 17 }],
  ])('tells %s the role, and what may be done where', async (email, role, permissions, workspaces) => {
    const { accessToken } = await signedIn(email, 'ACME');

    const me = (await ask(meQuery, {}, { token: accessToken })).data?.['me'] as unknown as {
      organization: { role: string; permissions: string[]; workspaces: { name: string; permissions: string[] }[] };
    };

    expect(me).toMatchObject({ user: { email }, platformRole: null });
    expect([me.organization.role, me.organization.permissions.length]).toEqual([role, permissions]);
    expect(Object.fromEntries(me.organization.workspaces.map((one) => [one.name, one.permissions.length]))).toEqual(workspaces);
  });

  it('makes the first administrator the owner of the platform', async () => {
    const { accessToken } = await signedIn('admin@foyer.test', 'PLATFORM');

    const { data } = await ask(meQuery, {}, { token: accessToken });

    expect(data?.['me']).toMatchObject({
      platformRole: 'PLATFORM_OWNER',
      organization: { id: demo.platform.organizationId, role: 'ORG_ADMIN', workspaces: [{ name: 'Default', role: 'WORKSPACE_ADMIN' }] },
    });
  });

  it('shows a stranger no more of an organization than its name', async () => {
    const document = `query ($id: ID!) { organization(id: $id) { name status workspaces { name } } }`;
    const { accessToken } = await signedIn('admin@foyer.test', 'PLATFORM');
    const member = await signedIn('member@acme.test', 'ACME');

    const byPlatform = await ask(document, { id: demo.acme.organizationId }, { token: accessToken });
    const byStranger = await ask(document, { id: '0a0c0000-0000-4000-8000-000000000002' }, { token: member.accessToken });
    const nonsense = await ask(document, { id: "1' OR 1=1" }, { token: member.accessToken });

    expect(byPlatform.data?.['organization']).toMatchObject({ status: 'ACTIVE', workspaces: [{ name: 'Acme Main' }, { name: 'Acme Studio' }] });
    expect(byStranger.data?.['organization']).toEqual({ name: 'Borneo Bird Park', status: null, workspaces: [] });
    expect(nonsense).toMatchObject({ data: { organization: null }, error: undefined });
  });
});

describe('starting again', () => {
  it('changes nothing', async () => {
    const count = async () =>
      Promise.all([db.user.count(), db.authUser.count(), db.role.count(), db.rolePermission.count(), db.organization.count(), db.workspace.count()]);
    const before = await count();

    await identity.startUp();

    expect(await count()).toEqual(before);
    expect(before.slice(2)).toEqual([13, 142, 7, 9]);
  });
});

describe('a block', () => {
  it('stops the tokens from before it, and not those from after it', async () => {
    const house = await open();
    const { accessToken, refreshToken } = await signedIn('viewer@acme.test', 'ACME');
    const userId = String(decodeJwt(accessToken)['uid']);
    const inASecond = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 1_000);
    await db.userBlock.create({ data: { userId, notBefore: inASecond, expiresAt: new Date(Date.now() + 900_000) } });

    await expect(house.authenticate({ authorization: `Bearer ${accessToken}` })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const renewed = (await refresh(refreshToken)).data?.['refresh'] as unknown as { accessToken: string };
    await expect(house.authenticate({ authorization: `Bearer ${renewed.accessToken}` })).resolves.toMatchObject({ by: 'bearer' });
    await db.userBlock.deleteMany();
  });
});
