import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { openLog } from '@foyer/shared/telemetry/log';
import { describe, expect, it } from 'vitest';

import { startIdentityProvider } from '../simulators/identity-provider.ts';
import { identityProvider } from './identity-provider.ts';

const password = 'Foyer-demo-1';
const device = { address: '192.0.2.1', description: 'a browser' };

describe('the switches of the embedded identity provider', () => {
  it.each([
    ['a search that lags behind', { searchLagMs: 300 }],
    ['a lockout', { lockAfter: 2 }],
  ])('%s: new records are found, and a locked person gets the same answer as others', async (_name, switches) => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-provider-'));
    const platform = { name: 'Foyer', admin: { username: 'admin@foyer.test', password } };
    const provider = await startIdentityProvider({ folder, platform, ...switches });
    const adapter = identityProvider({
      url: provider.url,
      tokenFile: provider.tokenFile,
      wire: 'auto',
      timeoutMs: 15_000,
      log: openLog('silent'),
    });
    const organizationId = await adapter.createOrganization('Acme');
    const user = {
      organizationId,
      username: 'late',
      email: 'late@acme.test',
      givenName: 'La',
      familyName: 'Te',
      password,
    };
    await adapter.createUser(user);

    await expect(adapter.findOrganization({ name: 'Acme' })).resolves.toMatchObject({ id: organizationId });
    await expect(adapter.findUsers('late')).resolves.toHaveLength(1);
    const session = { loginName: 'late', lifetimeSeconds: 60, device };
    for (const secret of ['Wrong-1!', 'Wrong-2!', 'Wrong-3!']) {
      await expect(adapter.openSession({ ...session, password: secret })).rejects.toMatchObject({
        reason: 'INVALID_CREDENTIALS',
      });
    }
    await provider.stop();
    await rm(folder, { recursive: true, force: true });
  });
});

describe('a slow identity provider', () => {
  const settings = { wire: 'connect', log: openLog('silent'), token: 'a token' } as const;

  it('is down when it does not answer in time', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await expect(identityProvider({ ...settings, url, timeoutMs: 150 }).findUsers('anybody')).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      reason: 'IDENTITY_PROVIDER_DOWN',
    });

    silent.close();
    silent.closeAllConnections();
  });

  it('may take its time in the tarpit: a wrong password is slow, and still only wrong', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-provider-'));
    const platform = { name: 'Foyer', admin: { username: 'admin@foyer.test', password } };
    const provider = await startIdentityProvider({ folder, platform, tarpit: true });
    const { url, tokenFile } = provider;
    const adapter = identityProvider({ url, tokenFile, wire: 'auto', timeoutMs: 15_000, log: settings.log });
    const open = (secret: string) =>
      adapter.openSession({ loginName: 'admin@foyer.test', password: secret, lifetimeSeconds: 60, device });

    const begun = performance.now();
    await expect(open('Wrong-password-1')).rejects.toMatchObject({ reason: 'INVALID_CREDENTIALS' });
    expect(performance.now() - begun).toBeGreaterThan(790);
    await expect(open(password)).resolves.toMatch(/^\d{18}$/);

    await provider.stop();
    await rm(folder, { recursive: true, force: true });
  });
});

describe('a deletion that the identity provider does not know', () => {
  it('of an organization, before version 4.7, deletes its people: nobody stays there with a password', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-provider-'));
    const platform = { name: 'Foyer', admin: { username: 'admin@foyer.test', password } };
    const { url, tokenFile, stop } = await startIdentityProvider({ folder, platform, version: 'v2' });
    const adapter = identityProvider({ url, tokenFile, wire: 'auto', timeoutMs: 15_000, log: openLog('silent') });
    const admin = { username: 'mei', email: 'mei@acme.test', givenName: 'Mei', familyName: 'Lim', password };
    const { organizationId } = await adapter.createOrganizationWithAdmin('Acme', admin);

    await adapter.deleteOrganization(organizationId);
    expect(await adapter.findUsers('mei')).toEqual([]);
    expect(await adapter.findUsers('admin@foyer.test')).toHaveLength(1);
    await stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('of anybody, where something else answers at the address, is no deletion', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"code":5,"message":"Not Found"}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const adapter = identityProvider({
      url,
      token: 'a token',
      wire: 'rest',
      timeoutMs: 15_000,
      log: openLog('silent'),
    });
    const down = { reason: 'IDENTITY_PROVIDER_DOWN' };
    await expect(adapter.deleteUser('1')).rejects.toMatchObject(down);
    await expect(adapter.endSession('1')).rejects.toMatchObject(down);
    await expect(adapter.deleteOrganization('1')).rejects.toMatchObject(down);
    server.close();
    server.closeAllConnections();
  });
});

describe('the token of the service user', () => {
  it('is read again from its file, so that it can be replaced while the server runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'foyer-provider-'));
    const tokenFile = join(folder, 'token');
    const sent: (string | undefined)[] = [];
    const provider = createServer((request, response) => {
      sent.push(request.headers.authorization);
      response.setHeader('content-type', 'application/json').end('{}');
    }).listen(0, '127.0.0.1');
    await once(provider, 'listening');
    const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const adapter = identityProvider({ url, tokenFile, wire: 'connect', timeoutMs: 15_000, log: openLog('silent') });
    const lastSent = async () => {
      await adapter.deleteUser('1');
      return sent.at(-1);
    };

    for (const token of ['the first', 'the second']) {
      await writeFile(tokenFile, `${token}\n`);
      await expect.poll(lastSent).toBe(`Bearer ${token}`);
    }

    provider.close();
    provider.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  });
});
