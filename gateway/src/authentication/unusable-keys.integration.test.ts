import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

import { base64url } from 'jose';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { gatewayOverRemoteShops } from '../testing/gateway-over-remote-shops.ts';
import { ISSUER, startKeyServer, type KeyServer } from '../testing/key-server.ts';

const { log, open, post } = gatewayOverRemoteShops();

let keys: KeyServer;
beforeEach(async () => {
  keys = await startKeyServer('RS256');
});
afterEach(async () => {
  vi.useRealTimers();
  await keys.stop();
});

const openWith = (...jwks: object[]) =>
  open({}, { configuration: JSON.stringify({ authentication: { jwt: { jwks } } }) });

const statusOf = async (token: string | Promise<string>) =>
  (await post('{ me { name } }', { authorization: `Bearer ${await token}` })).status;

const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 });
const unusable = {
  weak: { ...weak.publicKey.export({ format: 'jwk' }), kid: 'weak' },
  broken: { kty: 'RSA', kid: 'broken', n: 'AA', e: 'AQAB' },
  point: { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA', kid: 'point' },
};

/** A token by hand: the library does not sign with such keys. */
function signed(header: { alg: string; kid: string }, key?: KeyObject): string {
  const claims = { iss: ISSUER, aud: 'graph', exp: Math.floor(Date.now() / 1_000) + 60 };
  const text = [header, claims].map((part) => base64url.encode(JSON.stringify(part))).join('.');
  return `${text}.${key ? sign('sha256', Buffer.from(text), key).toString('base64url') : 'AAAA'}`;
}

it("a key that can not be used proves nothing, and is in nobody's way", async () => {
  Object.values(unusable).forEach(keys.publish);
  await openWith({ url: keys.url, issuer: ISSUER });

  expect(await statusOf(signed({ alg: 'RS256', kid: 'weak' }, weak.privateKey))).toBe(401);
  expect(await statusOf(signed({ alg: 'RS256', kid: 'broken' }))).toBe(401);
  expect(await statusOf(signed({ alg: 'ES256', kid: 'point' }))).toBe(401);
  expect(await statusOf(keys.sign())).toBe(200);
  expect(await statusOf(keys.sign({}, { kid: null }))).toBe(200);
  expect(keys.requests).toHaveLength(1);
});

it('a key that can not be used is warned of once, however often the keys are read', async () => {
  Object.values(unusable).forEach(keys.publish);
  keys.publish({ kty: 'oct', kid: 'shared', k: 'AAAA' }); // other kinds of keys may be there for others
  await openWith({ url: keys.url });
  await statusOf(keys.sign());
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 });
  await statusOf(keys.sign());

  expect(keys.requests).toHaveLength(2);
  const warned = log.flatMap(({ level, kid }) => (Number(level) >= 40 ? [kid] : []));
  expect(warned).toEqual(['point', 'broken', 'weak']);
});

it('a token is verified by the second issuer, though the first has only a key that can not be used', async () => {
  const first = await startKeyServer('ES256');
  first.publish({ ...unusable.weak, kid: 'key 1' });
  await openWith({ url: first.url }, { url: keys.url });

  expect(await statusOf(keys.sign())).toBe(200);
  await first.stop();
});

it('an address of keys that redirects is not followed, which the log says', async () => {
  keys.redirect = keys.url;
  await openWith({ url: keys.url });

  expect(await statusOf(keys.sign())).toBe(503);
  expect(log).toContainEqual(expect.objectContaining({ url: keys.url, reason: expect.stringContaining('redirects') }));
});
