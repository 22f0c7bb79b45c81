import { createHash, createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';

import { createAuthenticate } from '@foyer/shared/auth/authentication';
import { newId, readId } from '@foyer/shared/ids';
import { signLegacyToken } from '@foyer/shared/auth/legacy-token';
import { decodeJwt, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';

import { openKeys, type Keys } from './keys.ts';
import { openTokens, type Tokens } from './tokens.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKey = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const now = new Date('2030-01-01T12:00:00Z');
const clock = { now: () => now };
const legacySecret = 'a legacy secret';
const holder = {
  userId: newId(),
  idpUserId: '312345678901234567',
  sessionId: newId(),
  organization: { id: readId('00000000-0000-0000-0000-000000000001'), slug: 'platform', role: 'ORG_ADMIN' },
};
const issuedAt = now.getTime() / 1_000;

let tokens: Tokens;
let keys: Keys;
beforeAll(async () => {
  keys = await openKeys([privateKey]);
  tokens = openTokens({
    privateKey,
    refreshSecret: 'a refresh secret',
    accessSeconds: 900,
    refreshSeconds: 600,
    clock,
  });
});

const authenticate = (notBefore = 0, at = now) =>
  createAuthenticate({
    keys: keys.verify,
    legacySecret,
    standingOf: ({ issuedAt }) => Promise.resolve(issuedAt < notBefore ? 'revoked' : 'good'),
    customerStandingOf: ({ issuedAt }) => Promise.resolve(issuedAt < notBefore ? 'revoked' : 'good'),
    clock: { now: () => at },
  });
const good = () => Promise.resolve('good' as const);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the key set', () => {
  it('has one key, named by the first eight bytes of the SHA-256 of its DER', () => {
    const der = rsa.publicKey.export({ type: 'spki', format: 'der' });
    const kid = createHash('sha256').update(der).digest().subarray(0, 8).toString('hex');
    expect(keys.jwks.keys).toEqual([{ kty: 'RSA', alg: 'RS256', use: 'sig', e: 'AQAB', n: expect.any(String), kid }]);
  });
});

describe('a change of keys', () => {
  const next = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pemOf = (key: KeyObject) =>
    key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }).toString();
  const settings = { refreshSecret: 'a refresh secret', accessSeconds: 900, refreshSeconds: 600, clock };
  const admits = ({ verify }: Keys, token: string) =>
    createAuthenticate({ keys: verify, standingOf: good, customerStandingOf: good, clock })(bearer(token)).then(
      ({ by }) => by,
      () => 'refused',
    );

  it('publishes the next key before it signs, and the previous one after, so that no token is refused', async () => {
    const before = await openKeys([privateKey, pemOf(next.publicKey)]);
    const after = await openKeys([pemOf(next.privateKey), pemOf(rsa.privateKey)]);
    const [old, renewed] = [
      await tokens.signAccess(holder, issuedAt, 900),
      await openTokens({ ...settings, privateKey: pemOf(next.privateKey) }).signAccess(holder, issuedAt, 900),
    ];

    expect(before.jwks.keys).toHaveLength(2);
    expect(new Set(before.jwks.keys.map(({ kid }) => kid))).toEqual(new Set(after.jwks.keys.map(({ kid }) => kid)));
    for (const instance of [before, after])
      for (const token of [old, renewed]) expect(await admits(instance, token)).toBe('bearer');
    expect(await admits(keys, renewed)).toBe('refused');
  });

  it('publishes no private part, and no key twice', async () => {
    const { jwks } = await openKeys([privateKey, privateKey, pemOf(next.privateKey)]);
    expect(jwks.keys.map((key) => Object.keys(key).toSorted().join(' '))).toEqual(
      Array.from({ length: 2 }, () => 'alg e kid kty n use'),
    );
  });
});

describe('an access token', () => {
  it('authenticates, as a bearer token or as a cookie', async () => {
    const token = await tokens.signAccess(holder, issuedAt, 900);

    await expect(authenticate()(bearer(token))).resolves.toMatchObject({
      by: 'bearer',
      viewer: { kind: 'staff', userId: holder.userId },
    });
    const cookie = `theme=dark; access_token=tossed; access_token=${token}`;
    await expect(authenticate()({ cookie })).resolves.toMatchObject({
      by: 'cookie',
      viewer: { userId: holder.userId },
    });
  });

  it('is refused after its time, and from before the block time', async () => {
    const token = await tokens.signAccess(holder, issuedAt, 900);
    await expect(authenticate(0, new Date(now.getTime() + 900_000))(bearer(token))).rejects.toThrow('Sign in first');
    await expect(authenticate(issuedAt + 1)(bearer(token))).rejects.toThrow('Sign in first');
    await expect(authenticate(issuedAt)(bearer(token))).resolves.toMatchObject({ by: 'bearer' });
  });

  it('has its signature checked once, its time and its revocation each time', async () => {
    let at = now;
    let revoked = false;
    let looks = 0;
    const admit = createAuthenticate({
      keys: (...args) => {
        looks += 1;
        return keys.verify(...args);
      },
      standingOf: () => Promise.resolve(revoked ? 'revoked' : 'good'),
      customerStandingOf: good,
      clock: { now: () => at },
    });
    const token = await tokens.signAccess(holder, issuedAt, 900);
    for (let time = 0; time < 3; time += 1) {
      await expect(admit(bearer(token))).resolves.toMatchObject({ viewer: { userId: holder.userId } });
    }
    expect(looks).toBe(1);

    await expect(admit(bearer(`${token.slice(0, -4)}AAAA`))).rejects.toThrow('Sign in first');
    revoked = true;
    await expect(admit(bearer(token))).rejects.toThrow('Sign in first');
    revoked = false;
    at = new Date(now.getTime() + 900_000);
    await expect(admit(bearer(token))).rejects.toThrow('Sign in first');
    at = new Date(now.getTime() - 61_000);
    await expect(admit(bearer(token))).rejects.toThrow('Sign in first');
  });

  it('is refused with wrong time claims: from the future, or without an end', async () => {
    const future = await tokens.signAccess(holder, issuedAt + 120, 900);
    const ended = await tokens.signAccess(holder, issuedAt - 1_000, 900);
    const claims = { uid: holder.userId, zid: '1', sid: holder.sessionId, org: decodeJwt(future)['org'] };
    const draft = new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keys.jwks.keys[0]?.kid ?? '' })
      .setIssuer('foyer-auth')
      .setSubject(holder.userId)
      .setIssuedAt(issuedAt)
      .setJti(newId());
    const endless = await draft.sign(rsa.privateKey);
    const early = await draft
      .setNotBefore(issuedAt + 60)
      .setExpirationTime(issuedAt + 900)
      .sign(rsa.privateKey);

    for (const token of [future, ended, endless, early])
      await expect(authenticate()(bearer(token))).rejects.toThrow('Sign in first');
  });

  it("is refused when it is somebody else's, or signed with the public key as a secret", async () => {
    const claims = {
      uid: holder.userId,
      zid: '1',
      sid: holder.sessionId,
      org: { org_id: holder.organization.id, org_slug: '', role: 'ORG_OWNER' },
    };
    const foreign = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keys.jwks.keys[0]?.kid ?? '' })
      .setIssuer('foyer-auth')
      .setSubject(holder.userId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 900)
      .setJti(newId())
      .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
    const [, payload = ''] = foreign.split('.');
    const confused = (header: object, secret: string) => {
      const head = Buffer.from(JSON.stringify(header)).toString('base64url');
      return `${head}.${payload}.${createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')}`;
    };
    const publicKey = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const unsigned = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${payload}.`;

    for (const token of [foreign, confused({ alg: 'HS256', typ: 'JWT' }, publicKey), unsigned, 'nonsense', '']) {
      await expect(authenticate()(bearer(token))).rejects.toThrow('Sign in first');
    }
  });
});

describe('a refresh token', () => {
  it('is valid for refreshing, and for nothing else', async () => {
    const token = await tokens.signRefresh(holder);
    expect(await tokens.verifyRefresh(token)).toEqual({ userId: holder.userId, sessionId: holder.sessionId });
    await expect(authenticate()(bearer(token))).rejects.toThrow('Sign in first');
  });
});

describe('a legacy token', () => {
  it('proves a customer or a member of staff', async () => {
    const customer = await signLegacyToken(legacySecret, { custId: '42' }, 60, now);
    const admin = await signLegacyToken(legacySecret, { subject: 'someone', role: 'SYSADMIN' }, 60, now);
    await expect(authenticate()(bearer(customer))).resolves.toMatchObject({
      viewer: { kind: 'customer', custId: '42' },
    });
    await expect(authenticate()(bearer(admin))).resolves.toMatchObject({
      viewer: { kind: 'legacy-user', role: 'SYSADMIN' },
    });
  });

  it('is not accepted as a cookie, nor with another secret', async () => {
    const customer = await signLegacyToken(legacySecret, { custId: '42' }, 60, now);
    await expect(authenticate()({ cookie: `access_token=${customer}` })).resolves.toEqual({
      viewer: null,
      by: 'nothing',
    });
    const forged = await signLegacyToken('another secret', { custId: '42' }, 60, now);
    await expect(authenticate()(bearer(forged))).rejects.toThrow('Sign in first');
  });
});
