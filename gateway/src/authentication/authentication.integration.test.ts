import { base64url, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { gatewayOverRemoteShops, type Answer } from '../testing/gateway-over-remote-shops.ts';
import { ISSUER, startKeyServer, type KeyServer } from '../testing/key-server.ts';
import { shops } from '../testing/shops.ts';
import { aClient, watch } from '../testing/ws-clients.ts';

const { at, log, open, post, streamUrl } = gatewayOverRemoteShops();

let keys: KeyServer;
beforeEach(async () => {
  keys = await startKeyServer();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await keys.stop();
});

/** Lets time pass, while the clock moves along or is set; timers stay as they are. */
function later(seconds: number, clockMoves = seconds) {
  const moment = performance.now() + seconds * 1_000;
  vi.spyOn(performance, 'now').mockReturnValue(moment);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + clockMoves * 1_000 });
}

/** @param more keys of `authentication.jwt` */
const configuration = (more: object = {}, ofKeys: object = {}) =>
  JSON.stringify({
    authentication: {
      jwt: { jwks: [{ url: keys.url, issuer: ISSUER, audience: 'graph', ...ofKeys }], ...more },
    },
    headers: { all: { request: [{ insert: { name: 'x-user-id', claim: 'sub' } }] } },
  });

const me = '{ me { name } }';

/** The status of a request, and who the subgraph takes the caller for. */
async function asked(headers: Record<string, string>): Promise<[number, unknown]> {
  at('users').requests.length = 0;
  const response = await post(me, headers);
  const { errors } = (await response.json()) as Answer;
  if (errors) return [response.status, errors[0]?.extensions['code']];
  return [response.status, at('users').requests[0]?.headers['x-user-id'] ?? 'nobody'];
}
const withToken = async (token: string | Promise<string>) => asked({ authorization: `Bearer ${await token}` });
const refused = [401, 'UNAUTHENTICATED'];
const inSeconds = (seconds: number) => Date.now() / 1_000 + seconds;

describe('a request with a token', () => {
  it('of a trusted issuer is authenticated, and the keys are read once', async () => {
    await open({}, { configuration: configuration({}, { headers: { 'x-api-key': 'k' } }) });

    expect(await withToken(keys.sign())).toEqual([200, 'u1']);
    expect(await withToken(keys.sign({ sub: 'u2' }))).toEqual([200, 'u2']);
    expect(keys.requests).toMatchObject([{ 'x-api-key': 'k' }]);
  });

  it('that has no token is nobody', async () => {
    await open({}, { configuration: configuration() });

    expect(await asked({})).toEqual([200, 'nobody']);
    expect(await asked({ 'x-user-id': 'u1' })).toEqual([200, 'nobody']);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['that has expired', () => keys.sign({}, { expiresAt: inSeconds(-60) })],
    ['that never expires', () => keys.sign({}, { expiresAt: null })],
    ['that is not valid yet', () => keys.sign({ nbf: inSeconds(60) })],
    ['of another issuer', () => keys.sign({ iss: 'https://evil.example/' })],
    ['for another audience', () => keys.sign({ aud: 'shop' })],
    ['of an unknown key', () => keys.sign({}, { kid: 'mine' })],
    [
      'that another key has signed',
      async () => (await foreign()).replace(/^[^.]+/, (await keys.sign()).split('.')[0] ?? ''),
    ],
    ['whose claims were changed', async () => changed(await keys.sign())],
    ['without a signature', () => unsigned({ iss: ISSUER, aud: 'graph', sub: 'u1', exp: inSeconds(60) })],
    ['that is signed with a shared secret', () => sharedSecret()],
    ['that is none', () => 'hello'],
    ['that is longer than any', () => keys.sign({ pad: 'x'.repeat(8_000) })],
  ])('%s is refused', async (_which, token) => {
    await open({}, { configuration: configuration() });

    expect(await withToken(token())).toEqual(refused);
    expect(at('users').requests).toEqual([]);
    expect((await post(me, { authorization: 'Bearer hello' })).headers.get('www-authenticate')).toContain(
      'invalid_token',
    );
  });

  it('that is not valid continues as nobody, where that is configured', async () => {
    await open({}, { configuration: configuration({ onError: 'continue' }) });

    expect(await withToken('hello')).toEqual([200, 'nobody']);
    expect(await withToken(keys.sign())).toEqual([200, 'u1']);
  });

  it('may have it after another word, in another header, or in a cookie', async () => {
    const header = { name: 'X-Token', prefix: '' };
    await open({}, { configuration: configuration({ header, cookie: 'session' }) });
    const token = await keys.sign();

    expect(await asked({ 'x-token': token })).toEqual([200, 'u1']);
    expect(await asked({ cookie: `a=b; session=stale; session=${token}` })).toEqual([200, 'u1']);
    expect(await asked({ cookie: 'session=stale' })).toEqual([200, 'nobody']);
    expect(await asked({ 'x-token': 'stale', cookie: `session=${token}` })).toEqual(refused);
  });

  it.each([
    [true, [200, 'nobody']],
    [false, refused],
  ])('of another kind is ignored: %s', async (ignoreOtherPrefixes, result) => {
    await open({}, { configuration: configuration({ ignoreOtherPrefixes }) });

    expect(await asked({ authorization: 'Basic YTpi' })).toEqual(result);
  });

  it('without a key id is tried with every key', async () => {
    await keys.rotate();
    await open({}, { configuration: configuration() });

    expect(await withToken(keys.sign({}, { kid: null }))).toEqual([200, 'u1']);
    expect(await withToken(keys.sign())).toEqual([200, 'u1']);
  });

  it('is verified with the keys of its own issuer among several', async () => {
    const others = await startKeyServer('RS256');
    const jwks = [
      { url: others.url, issuer: 'https://other.example/' },
      { url: keys.url, issuer: [ISSUER], algorithms: ['ES256'] },
    ];
    await open({}, { configuration: configuration({ jwks }) });

    expect(await withToken(keys.sign())).toEqual([200, 'u1']);
    expect(await withToken(others.sign({ iss: 'https://other.example/', sub: 'u9' }))).toEqual([200, 'u9']);
    expect(await withToken(others.sign())).toEqual(refused);
    await others.stop();
    expect(await withToken(keys.sign({ sub: 'u2' }))).toEqual([200, 'u2']);
  });

  it('makes the gateway read no keys of other issuers', async () => {
    const others = await startKeyServer();
    const jwks = [
      { url: others.url, issuer: 'https://other.example/' },
      { url: keys.url, issuer: ISSUER },
    ];
    await open({}, { configuration: configuration({ jwks }) });

    expect(await withToken(keys.sign())).toEqual([200, 'u1']);

    expect(others.requests).toEqual([]);
    await others.stop();
  });

  it('of a new key is authenticated half a minute after the keys were read at the latest', async () => {
    await open({}, { configuration: configuration() });
    expect(await withToken(keys.sign())).toEqual([200, 'u1']);
    await keys.rotate();

    expect(await withToken(keys.sign())).toEqual(refused);
    later(31);
    expect(await withToken(keys.sign())).toEqual([200, 'u1']);
    expect(keys.requests).toHaveLength(2);
  });

  async function foreign() {
    const others = await startKeyServer();
    const token = await others.sign();
    await others.stop();
    return token;
  }
});

describe('while the keys can not be read', () => {
  it('a token is neither accepted nor called invalid, and requests without one are answered', async () => {
    await open({}, { configuration: configuration() });
    const token = await keys.sign();
    await keys.stop();

    expect(await withToken(token)).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    expect(await asked({})).toEqual([200, 'nobody']);
    const lines = log.filter(({ msg }) => msg === 'a key set can not be read');
    expect(lines).toMatchObject([{ url: keys.url }]);
  });

  it('a WebSocket is closed with the code after which clients come again', async () => {
    await open({}, { configuration: configuration() });
    const authorization = `Bearer ${await keys.sign()}`;
    await keys.stop();
    const client = aClient(streamUrl(), { connectionParams: { authorization } });

    expect(await watch(client, me).ended).toMatchObject({ code: 1013 });
  });

  it('the last known keys stay in use', async () => {
    await open({}, { configuration: configuration() });
    expect(await withToken(keys.sign())).toEqual([200, 'u1']);
    await keys.stop();
    later(11 * 60);

    expect(await withToken(keys.sign({ sub: 'u2' }))).toEqual([200, 'u2']);
    expect(await withToken(keys.sign({ sub: 'u3' }))).toEqual([200, 'u3']);
    await keys.rotate();
    expect(await withToken(keys.sign())).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    expect(log.filter(({ msg }) => msg === 'a key set can not be read')).toHaveLength(1);
  });

  it('they are read again once that is possible', async () => {
    await open({}, { configuration: configuration() });
    await keys.stop();
    expect(await withToken(keys.sign())).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    await keys.start();

    later(6);
    expect(await withToken(keys.sign())).toEqual([200, 'u1']);
  });

  it('they are read again a few seconds later, though the clock is set back by an hour meanwhile', async () => {
    await open({}, { configuration: configuration() });
    await keys.stop();
    expect(await withToken(keys.sign())).toEqual([503, 'UPSTREAM_UNAVAILABLE']);
    await keys.start();

    later(6, -3_600);
    expect(await withToken(keys.sign())).toEqual([200, 'u1']);
  });
});

describe('a WebSocket with a token', () => {
  const reviewed = 'subscription { reviewed { stars author { name } } }';

  it('is authenticated by its greeting, and so is every event', async () => {
    await open({}, { configuration: configuration() });
    const client = aClient(streamUrl(), { connectionParams: { Authorization: `Bearer ${await keys.sign()}` } });
    const { results } = watch(client, reviewed);
    await expect.poll(() => shops.watchers()).toBe(1);

    shops.review();

    await expect.poll(() => results).toHaveLength(1);
    expect(at('reviews').handshakes).toMatchObject([{ 'x-user-id': 'u1' }]);
    expect(at('users').requests).toMatchObject([{ headers: { 'x-user-id': 'u1' } }]);
    await client.dispose();
  });

  it('that is not valid is closed with 4403', async () => {
    await open({}, { configuration: configuration() });
    const client = aClient(streamUrl(), { connectionParams: { authorization: 'Bearer hello' } });

    expect(await watch(client, me).ended).toMatchObject({ code: 4403 });
  });

  it('is closed with 4403 when the token expires, though nothing happens', async () => {
    await open({}, { configuration: configuration() });
    // The tolerance for clocks that differ is ten seconds, and a token holds whole seconds.
    const token = await keys.sign({}, { expiresAt: inSeconds(-6) });
    const client = aClient(streamUrl(), { connectionParams: { authorization: `Bearer ${token}` } });

    expect(await watch(client, reviewed).ended).toMatchObject({ code: 4403, reason: 'Token expired' });
    await expect.poll(() => shops.watchers()).toBe(0);
  });
});

/** `alg: none`, by hand: no library makes one. */
const unsigned = (claims: object) =>
  `${base64url.encode('{"alg":"none"}')}.${base64url.encode(JSON.stringify(claims))}.`;

const sharedSecret = () =>
  new SignJWT({ iss: ISSUER, aud: 'graph', sub: 'u1' })
    .setProtectedHeader({ alg: 'HS256', kid: 'key 1' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode('a secret of at least 32 characters!'));

function changed(token: string): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(new TextDecoder().decode(base64url.decode(payload))) as object;
  return [header, base64url.encode(JSON.stringify({ ...claims, sub: 'admin' })), signature].join('.');
}
