import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Code, ConnectError } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import {
  createOrganizationServiceClient,
  createSessionServiceClient,
  createUserServiceClient,
} from '@zitadel/client/v2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startIdentityProvider, type EmbeddedIdentityProvider } from './identity-provider.ts';

const password = 'Foyer-demo-1';
let folder: string;
let provider: EmbeddedIdentityProvider;
let token: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-provider-'));
  provider = await startIdentityProvider({
    folder,
    platform: { name: 'Foyer', admin: { username: 'admin@foyer.test', password } },
  });
  token = await readFile(provider.tokenFile, 'utf8');
});

afterAll(async () => {
  await provider.stop();
  await rm(folder, { recursive: true, force: true });
});

const transport = (bearer: string) =>
  createConnectTransport({
    baseUrl: provider.url,
    httpVersion: '1.1',
    useBinaryFormat: false,
    interceptors: [
      (next) => (request) => {
        request.header.set('authorization', `Bearer ${bearer}`);
        return next(request);
      },
    ],
  });

const rest = (path: string, init: RequestInit = {}) =>
  fetch(`${provider.url}${path}`, { headers: { authorization: `Bearer ${token}` }, ...init });

describe('the embedded identity provider, called by the official client', () => {
  it('makes an organization and a person, opens and ends a session', async () => {
    const users = createUserServiceClient(transport(token));
    const sessions = createSessionServiceClient(transport(token));
    const organizations = createOrganizationServiceClient(transport(token));

    const { organizationId } = await organizations.addOrganization({ name: 'Official' });
    const { userId } = await users.addHumanUser({
      organization: { org: { case: 'orgId', value: organizationId } },
      username: 'official',
      profile: { givenName: 'Of', familyName: 'Ficial' },
      email: { email: 'official@acme.test', verification: { case: 'isVerified', value: true } },
      passwordType: { case: 'password', value: { password, changeRequired: false } },
    });
    const { sessionId } = await sessions.createSession({
      checks: { user: { search: { case: 'loginName', value: 'OFFICIAL' } }, password: { password } },
      lifetime: { seconds: 60n, nanos: 0 },
    });
    await sessions.deleteSession({ sessionId });

    const { user } = await users.getUserByID({ userId });
    expect(user?.details?.resourceOwner).toBe(organizationId);
    expect((await users.listUsers({})).details?.totalResult).toBe(3n);
  });

  it('refuses as the provider does, in codes that the client understands', async () => {
    const sessions = createSessionServiceClient(transport(token));
    const check = (value: string, secret: string) =>
      sessions.createSession({
        checks: { user: { search: { case: 'loginName', value } }, password: { password: secret } },
      });

    const wrong = await check('admin@foyer.test', 'Wrong-password-1').catch(ConnectError.from);
    const nobody = await check('nobody', password).catch(ConnectError.from);
    const stranger = await createUserServiceClient(transport('wrong')).listUsers({}).catch(ConnectError.from);

    expect(wrong).toMatchObject({ code: Code.InvalidArgument, rawMessage: 'Password is invalid (COMMAND-3M0fs)' });
    expect(nobody).toMatchObject({ code: Code.NotFound, rawMessage: 'User could not be found (QUERY-Dfbg2)' });
    expect(stranger).toMatchObject({ code: Code.Unauthenticated });
    expect(wrong).toHaveProperty('details.0.type', 'zitadel.v1.CredentialsCheckError');
  });
});

describe('the embedded identity provider, called over REST', () => {
  it('carries the code as a number and the detail as plain JSON', async () => {
    const body = JSON.stringify({
      checks: { user: { loginName: 'admin@foyer.test' }, password: { password: 'Wrong-password-1' } },
    });

    const response = await rest('/v2/sessions', { method: 'POST', body });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      code: 3,
      message: 'Password is invalid (COMMAND-3M0fs)',
      details: [
        {
          '@type': 'type.googleapis.com/zitadel.v1.CredentialsCheckError',
          id: 'COMMAND-3M0fs',
          message: 'Password is invalid',
          failedAttempts: expect.any(Number),
        },
      ],
    });
  });

  it('answers an unknown route and an invalid body', async () => {
    expect(await (await rest('/v2/unknown')).json()).toEqual({ code: 5, message: 'Not Found', details: [] });
    expect((await rest('/v2/users', { method: 'POST', body: '{' })).status).toBe(400);
    expect((await fetch(`${provider.url}/v2/users`, { method: 'POST' })).status).toBe(401);
    expect(await (await fetch(`${provider.url}/debug/healthz`)).text()).toBe('ok');
  });

  it('finds nothing with 200, and leaves zeros out', async () => {
    const body = JSON.stringify({ queries: [{ loginNameQuery: { loginName: 'nobody' } }] });
    const found = (await (await rest('/v2/users', { method: 'POST', body })).json()) as object;
    expect(found).toEqual({ details: { timestamp: expect.any(String) } });
  });
});
