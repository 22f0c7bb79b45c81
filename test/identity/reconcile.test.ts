import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { identityProvider, type IdentityProvider } from '@foyer/identity/identity-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { closeServer, startServer, type HostedServer } from '../support/servers/hosted-server.ts';
import { startProviderFixture, type ProviderFixture } from '../support/servers/provider-fixture.ts';
import { DEMO_PASSWORD, send, logIn } from '../support/fixtures/people.ts';

const root = join(import.meta.dirname, '../..');
const SECRET = 'the secret that services share';

let provider: ProviderFixture;
let atProvider: IdentityProvider;
let server: HostedServer;

beforeAll(async () => {
  provider = await startProviderFixture();
  const log = { warn: () => undefined, error: () => undefined } as never;
  atProvider = identityProvider({
    url: provider.url,
    tokenFile: provider.tokenFile,
    wire: 'auto',
    timeoutMs: 15_000,
    log,
  });
  server = await startServer({ ...provider.env, INTERNAL_PSK: SECRET, LOGIN_FLOOR_MS: '50' });
});

afterAll(async () => {
  await closeServer(server);
  await provider.stop();
});

describe('reconcile', () => {
  const reconcile = async (dryRun: boolean) => {
    const headers = { 'x-internal-token': SECRET };
    const { json } = await send(server, 'POST', `/api/v1/internal/platform/reconcile?dry_run=${dryRun}`, { headers });
    return json;
  };

  it('lists in a dry run what it would do, then does it, and has nothing to do afterwards', async () => {
    const organizationId = (await atProvider.findOrganization({ name: 'Acme Attractions' }))?.id ?? '';
    const person = { organizationId, username: 'found', email: 'found@acme.test', givenName: 'Fo', familyName: 'Und' };
    const idp_user_id = await atProvider.createUser({ ...person, password: DEMO_PASSWORD });

    const rehearsal = await reconcile(true);
    expect(rehearsal).toMatchObject({ dry_run: true, created: [{ idp_user_id, user_id: null, was: null }] });
    expect((await reconcile(true)).created).toEqual(rehearsal.created);

    expect((await reconcile(false)).created).toMatchObject([{ idp_user_id }]);
    expect(await reconcile(false)).toMatchObject({ created: [], activated: [], updated: [], elsewhere: [] });
    await logIn(server, 'found', 'ACME');
  });

  it('reports people who exist only here, and keeps them; an administrator keeps the role', async () => {
    const [left] = await atProvider.findUsers('found');
    await atProvider.deleteUser(left?.id ?? '');

    expect((await reconcile(false)).missing).toMatchObject([{ idp_user_id: left?.id, was: 'active' }]);

    const { headers } = await logIn(server, 'orgadmin@acme.test', 'ACME');
    const me = await send(server, 'GET', '/api/v1/identity/users/me', { headers });
    expect(me.json.org.role).toBe('ORG_ADMIN');
  });

  it('is also a command, after which the audit log names the operator', async () => {
    const organizationId = (await atProvider.findOrganization({ name: 'Acme Attractions' }))?.id ?? '';
    const person = { organizationId, username: 'late', email: 'late@acme.test', givenName: 'La', familyName: 'Te' };
    const idpUserId = await atProvider.createUser({ ...person, password: DEMO_PASSWORD });
    const foyer = async (...args: string[]) => {
      const command = ['server/src/cli/main.ts', ...args, '--json'];
      const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/node'), command, {
        cwd: root,
        env: { PATH: process.env['PATH'], DATA_DIR: server.dataDir, ...provider.env },
      });
      return JSON.parse(stdout);
    };

    expect(await foyer('reconcile', '--dry-run')).toMatchObject({
      dryRun: true,
      created: [{ idpUserId, userId: null }],
    });
    expect(await foyer('reconcile')).toMatchObject({ dryRun: false, created: [{ idpUserId }] });
    expect(await foyer('audit', 'tail', '--lines', '1', '--action', 'user.created')).toMatchObject({
      actorId: 'operator',
      reason: 'reconcile',
    });
  });
});
