import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { newId } from '@foyer/shared/ids';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { openKeys } from './keys.ts';
import { legacyAuthService } from './legacy-auth-service.ts';
import { openTokens } from './tokens.ts';

const newKey = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const privateKey = newKey();
const start = Date.parse('2030-01-01T12:00:00Z');
const issuedAt = start / 1_000;

let keySet: string;
const open: Server[] = [];
beforeAll(async () => {
  keySet = JSON.stringify((await openKeys([privateKey])).jwks);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const server of open.splice(0)) server.close();
});

/** Lets time pass; clocks that can be set stay as they are. */
function later(seconds: number) {
  const moment = performance.now() + seconds * 1_000;
  vi.spyOn(performance, 'now').mockReturnValue(moment);
}

const withKeys = (response: ServerResponse) => response.end(keySet);

/**
 * Starts a legacy auth service with this answer under a path, and Foyer's verifier of its tokens; everybody is a
 * member.
 */
async function aService({ path = '', answer = withKeys }: { path?: string; answer?: typeof withKeys } = {}) {
  const service = { answer, requests: [] as (string | undefined)[], warnings: 0, now: new Date(start) };
  const server = createServer(({ url }, response) => {
    service.requests.push(url);
    service.answer(response);
  }).listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  const clock = { now: () => service.now };
  const verify = legacyAuthService({
    records: { isMember: () => Promise.resolve(true) },
    log: { warn: () => (service.warnings += 1) },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    issuer: 'acme-auth',
    accessSeconds: 900,
  });
  const settings = { refreshSecret: 'none', accessSeconds: 900, refreshSeconds: 900, issuer: 'acme-auth' };
  const token = (lifetimeSeconds: number, key = privateKey) =>
    openTokens({ ...settings, privateKey: key, clock }).signAccess(
      {
        userId: newId(),
        idpUserId: 'theirs',
        sessionId: newId(),
        organization: { id: newId(), slug: 'acme', role: 'ORG_MEMBER' },
      },
      issuedAt,
      lifetimeSeconds,
    );
  const counts = async (sent: string | Promise<string>) => (await verify(await sent, service.now)) !== null;
  return { service, token, counts };
}

describe('a token of a legacy auth service', () => {
  it('ends when one of ours would, however long that service lets it live', async () => {
    const { service, token, counts } = await aService();
    const sent = await token(3_600);
    service.now = new Date(start + 899_000);
    expect(await counts(sent)).toBe(true);
    service.now = new Date(start + 900_000);
    expect(await counts(sent)).toBe(false);
  });
});

describe('the key set of a legacy auth service', () => {
  it.each(['/auth', '/auth/', '/'])('is fetched under %s, where AUTH_BASE_URL ends so', async (path) => {
    const { service, token, counts } = await aService({ path });
    expect(await counts(token(900))).toBe(true);
    expect(service.requests).toEqual([`${path.replace(/\/$/, '')}/.well-known/jwks.json`]);
  });

  it.each<[string, typeof withKeys]>([
    ['an error', (response) => response.writeHead(500).end(keySet)],
    ['a page', (response) => response.end('<html>')],
    ['no keys', (response) => response.end('{}')],
    ['a redirect', (response) => response.writeHead(302, { location: '/elsewhere' }).end()],
    ['nothing', (response) => response.destroy()],
  ])('is fetched once in thirty seconds while the answer is %s, and the log says so once', async (_what, answer) => {
    const { service, token, counts } = await aService({ answer });
    for (const sent of [token(900), token(900), token(900)]) expect(await counts(sent)).toBe(false);
    expect([service.requests.length, service.warnings]).toEqual([1, 1]);

    later(30);
    expect(await counts(token(900))).toBe(false);
    expect([service.requests.length, service.warnings]).toEqual([2, 2]);

    service.answer = withKeys;
    later(29);
    expect(await counts(token(900))).toBe(false);
    later(2);
    expect(await counts(token(900))).toBe(true);
    expect(service.warnings).toBe(2);
  });

  it('is fetched again after thirty seconds, though the clock is set back by an hour meanwhile', async () => {
    const { service, token, counts } = await aService({ answer: (response) => response.destroy() });
    service.now = new Date(start + 3_600_000);
    expect(await counts(token(900))).toBe(false);

    service.answer = withKeys;
    service.now = new Date(start);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    later(30);
    expect(await counts(token(900))).toBe(true);
  });

  it('stays in use once it was read, while the service is down', async () => {
    const { service, token, counts } = await aService();
    expect(await counts(token(900))).toBe(true);

    service.answer = (response) => response.destroy();
    expect(await counts(token(900))).toBe(true);
    expect(service.requests).toHaveLength(1);
    expect(await counts(token(900, newKey()))).toBe(false); // its owner can not be determined
    expect(await counts(token(900))).toBe(true);
  });
});
