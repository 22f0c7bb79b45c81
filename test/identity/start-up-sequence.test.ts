import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startIdentityProvider, type EmbeddedIdentityProvider } from '@foyer/identity/simulators/identity-provider';
import { identityProvider } from '@foyer/identity/identity-provider';
import { createTestDatabase, type TestDatabase } from '@foyer/prisma/testing/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeServer, startServer } from '../support/servers/hosted-server.ts';
import { stopServerProcess, startServerProcess } from '../support/servers/server-process.ts';
import { DEMO_PASSWORD, send, logIn } from '../support/fixtures/people.ts';

let folder: string;
let database: TestDatabase;
let provider: EmbeddedIdentityProvider;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-sequence-'));
  const admin = { username: 'admin@foyer.test', password: DEMO_PASSWORD };
  [database, provider] = await Promise.all([
    createTestDatabase(),
    startIdentityProvider({ folder: join(folder, 'provider'), platform: { name: 'Foyer', admin } }),
  ]);
});

afterAll(async () => {
  await Promise.all([database.drop(), provider.stop()]);
  await rm(folder, { recursive: true, force: true });
});

describe('the start-up sequence of whole servers', () => {
  it('runs once when two servers start at the same moment on one empty store', async () => {
    const env = {
      DATABASE_URL: database.url,
      IDP_URL: provider.url,
      IDP_PAT_FILE: provider.tokenFile,
      LOGIN_FLOOR_MS: '50',
    };
    const servers = await Promise.all([startServerProcess(env), startServerProcess(env)]);
    try {
      for (const server of servers) {
        const { headers } = await logIn(server, 'admin@foyer.test', 'PLATFORM');
        const { json } = await send(server, 'GET', '/api/v1/identity/users/me', { headers });
        expect(json.platform_role).toBe('PLATFORM_OWNER');
        expect(json.org.role).toBe('ORG_ADMIN');
        expect(json.org.workspaces.map(({ name }: { name: string }) => name)).toEqual(['Default']);
        await logIn(server, 'member@acme.test', 'acme');
      }
    } finally {
      for (const server of servers) await stopServerProcess(server);
    }
  });

  it('rule 1: an administrator who is no member of the platform organization can not sign in, though bootstrap succeeds', async () => {
    const log = { warn: () => undefined, error: () => undefined } as never;
    const { url, tokenFile } = provider;
    const atProvider = identityProvider({ url, tokenFile, wire: 'auto', timeoutMs: 15_000, log });
    const organizationId = await atProvider.createOrganization('Somewhere else');
    const email = 'outsider@foyer.test';
    const person = { organizationId, username: email, email, givenName: 'Out', familyName: 'Sider' };
    await atProvider.createUser({ ...person, password: DEMO_PASSWORD });

    const empty = await createTestDatabase();
    const server = await startServer({
      DATABASE_URL: empty.url,
      IDP_URL: provider.url,
      IDP_PAT_FILE: provider.tokenFile,
      IDP_ADMIN_LOGIN_NAME: email,
      LOGIN_FLOOR_MS: '50',
    });
    try {
      const [member, stranger] = await Promise.all(
        [DEMO_PASSWORD, 'Wrong-password-1'].map((password) =>
          send(server, 'POST', '/api/v1/login', { body: { username: email, password, company_code: 'PLATFORM' } }),
        ),
      );
      expect([member?.status, member?.json.code]).toEqual([401, 'INVALID_CREDENTIALS']);
      // Deliberately the same as a wrong password.
      expect({ ...member?.json, requestId: '' }).toEqual({ ...stranger?.json, requestId: '' });
    } finally {
      await closeServer(server);
      await empty.drop();
    }
  });
});
