import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';

import type { Refusal } from '@foyer/shared/errors';
import { openLog } from '@foyer/shared/telemetry/log';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { Identity } from '../app.ts';
import { obstruct, type ObstructedProvider } from '../testing/obstructed-provider.ts';
import { startTestIdentity, type TestIdentity } from '../testing/test-identity.ts';
import type { IdentityProvider } from '#ports/identity-provider.ts';
import { identityProvider } from './identity-provider.ts';

const device = { address: '192.0.2.1', description: 'a browser' };
const person = {
  organizationId: '1',
  username: 'mei',
  email: 'mei@acme.test',
  givenName: 'Mei',
  familyName: 'Lim',
  password: 'Secret-1!',
};

/** All calls of the port. */
const asking: { [Name in keyof IdentityProvider]: (provider: IdentityProvider) => Promise<unknown> } = {
  createOrganization: (provider) => provider.createOrganization('Acme'),
  createOrganizationWithAdmin: (provider) => provider.createOrganizationWithAdmin('Acme', person),
  findOrganization: (provider) => provider.findOrganization({ id: '1' }),
  deleteOrganization: (provider) => provider.deleteOrganization('1'),
  createUser: (provider) => provider.createUser(person),
  findUsers: (provider) => provider.findUsers('mei'),
  findMember: (provider) => provider.findMember('1', '2'),
  listUsers: (provider) => Array.fromAsync(provider.listUsers('1')),
  deleteUser: (provider) => provider.deleteUser('1'),
  setPassword: (provider) => provider.setPassword('1', 'Secret-2!'),
  openSession: (provider) =>
    provider.openSession({ loginName: 'mei', password: 'Secret-1!', lifetimeSeconds: 60, device }),
  endSession: (provider) => provider.endSession('1'),
  passwordRules: (provider) => provider.passwordRules(),
};

async function answering(answer: (response: ServerResponse) => unknown) {
  const server = createServer((request, response) => {
    request.resume();
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Writes endlessly, until the reader gives up. */
function endless(response: ServerResponse) {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.writeHead(200, { 'content-type': 'application/json' }).on('drain', more);
  response.write('{"result":"');
  more();
}

describe.each([
  ['with nothing', (response: ServerResponse) => response.writeHead(200).end()],
  ['with null', (response: ServerResponse) => response.writeHead(200).end('null')],
  ['with a page', (response: ServerResponse) => response.writeHead(200).end('<html>')],
  ['without end', endless],
])('a provider that answers everything with 200 %s is down', (_how, answer) => {
  it.each(['connect', 'rest'] as const)('in every call, over %s', async (wire) => {
    const server = await answering(answer);
    const provider = identityProvider({
      url: server.url,
      wire,
      token: 'a token',
      timeoutMs: 60_000,
      log: openLog('silent'),
    });
    for (const [name, ask] of Object.entries(asking)) {
      const reason = await ask(provider).catch((error: Partial<Refusal>) => error.reason);
      expect({ [name]: reason }).toEqual({ [name]: 'IDENTITY_PROVIDER_DOWN' });
    }
    await server.stop();
  });
});

it('a provider that redirects is down, and what it names gets no request', async () => {
  const elsewhere = { requests: 0 };
  const other = await answering((response) => ((elsewhere.requests += 1), response.end('{}')));
  const server = await answering((response) => response.writeHead(307, { location: other.url }).end('{}'));
  const provider = identityProvider({
    url: server.url,
    wire: 'connect',
    token: 'a token',
    timeoutMs: 60_000,
    log: openLog('silent'),
  });
  await expect(provider.findUsers('mei')).rejects.toMatchObject({ reason: 'IDENTITY_PROVIDER_DOWN' });
  expect(elsewhere.requests).toBe(0);
  await Promise.all([server.stop(), other.stop()]);
});

it('a provider is asked which interface it has until something else than a redirect answers', async () => {
  let requests = 0;
  const server = await answering((response) => {
    const isModern = response.req.headers['connect-protocol-version'] !== undefined;
    requests += 1;
    if (requests === 1) return response.writeHead(302, { location: '/maintenance' }).end();
    return isModern ? response.writeHead(404).end('{"code":5}') : response.end('{}');
  });
  const provider = identityProvider({
    url: server.url,
    wire: 'auto',
    token: 'a token',
    timeoutMs: 60_000,
    log: openLog('silent'),
  });
  await expect(provider.findUsers('mei')).rejects.toMatchObject({ reason: 'IDENTITY_PROVIDER_DOWN' });
  await expect(provider.findUsers('mei')).resolves.toEqual([]);
  await server.stop();
});

it('a provider is offered HTTP/1.1 alone, where a call without an answer ends its connection', async () => {
  const heard = Promise.withResolvers<string>();
  const server = createTlsServer({
    ALPNCallback: ({ protocols }) => (heard.resolve(protocols.join(', ')), undefined),
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const provider = identityProvider({
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    wire: 'connect',
    token: 'a token',
    timeoutMs: 60_000,
    log: openLog('silent'),
  });
  await expect(provider.findUsers('mei')).rejects.toMatchObject({ reason: 'IDENTITY_PROVIDER_DOWN' });
  expect(await heard.promise).toBe('http/1.1');
  server.close();
});

it('a provider is understood behind a proxy that compresses where it may, and refuses whoever does not say who it is', async () => {
  const server = await answering((response) => {
    const { 'user-agent': who, 'accept-encoding': encoding } = response.req.headers;
    if (!who) return response.writeHead(403).end('<html>');
    if (encoding === 'identity') return response.end('{}');
    return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}'));
  });
  const provider = identityProvider({
    url: server.url,
    wire: 'connect',
    token: 'a token',
    timeoutMs: 60_000,
    log: openLog('silent'),
  });
  await expect(provider.findUsers('mei')).resolves.toEqual([]);
  await server.stop();
});

describe('a provider that hangs', () => {
  let identity: TestIdentity;
  let provider: ObstructedProvider;
  let instance: Identity;
  beforeAll(async () => {
    identity = await startTestIdentity();
  });
  beforeEach(async () => {
    provider = await obstruct(identity.providerUrl);
    instance = await identity.open({ IDP_URL: provider.url, IDP_TIMEOUT_MS: '20000' });
    await instance.startUp();
  });
  afterEach(async () => {
    await instance.stop();
    await provider.stop();
  });
  afterAll(() => identity.stop());

  const logIn = async (username: string) => {
    const { error } = await identity.login(username, 'ACME', { password: 'Wrong-1!' }, { instance });
    return error?.['reason'];
  };
  const counted = async () => (await identity.db.rateLimit.aggregate({ _sum: { failures: true } }))._sum.failures;

  // With the timeout of one call (20 s) alone, the last of them would wait for longer than this test may take.
  it('is reported within seconds, however many wait for their turn, and counts as no failure of theirs', async () => {
    provider.hang();

    expect(await Promise.all(['mei', 'mei', 'mei'].map(logIn))).toEqual(Array(3).fill('IDENTITY_PROVIDER_DOWN'));

    expect(await counted()).toBe(0);
  }, 15_000);

  it('over a password check keeps the attempt counted, because a provider delays many wrong ones', async () => {
    const waiting = provider.hold('CreateSession');

    expect(await logIn('orgadmin@acme.test')).toBe('IDENTITY_PROVIDER_DOWN');

    expect(await counted()).toBe(3); // counts of the name from here and from everywhere, and of the address
    waiting.cut();
  }, 15_000);
});
