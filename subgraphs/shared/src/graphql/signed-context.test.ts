import { createPrivateKey, generateKeyPairSync } from 'node:crypto';

import { SignJWT } from 'jose';
import { expect, it } from 'vitest';

import { openContextSigner, openContextVerifier, type SignedContext } from './signed-context.ts';

const pair = () =>
  generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
const gateway = pair();
const stranger = pair();
const somebody: SignedContext = {
  viewer: { kind: 'customer', custId: 'C-1', issuedAt: 0, expiresAt: 4_102_444_800 },
  client: { address: '203.0.113.7', userAgent: 'a browser' },
};

/** A clock that the test sets. */
function watch(now = new Date()) {
  return { now: () => now, forward: (seconds: number) => (now = new Date(now.getTime() + seconds * 1_000)) };
}
const clock = watch();
const signContext = openContextSigner({ privateKey: gateway.privateKey, clock });
const verifyContext = openContextVerifier({ publicKeys: [gateway.publicKey], subgraph: 'ticketing', clock });

it('tells a subgraph the viewer and the address of the client', async () => {
  expect(await verifyContext(await signContext('ticketing', somebody))).toEqual(somebody);
});

it('tells a subgraph that nobody is logged in', async () => {
  const nobody = { ...somebody, viewer: null };
  expect(await verifyContext(await signContext('ticketing', nobody))).toEqual(nobody);
});

it('is invalid at another subgraph', async () => {
  expect(await verifyContext(await signContext('media', somebody))).toBeNull();
});

it('is invalid when somebody else has signed it', async () => {
  const forge = openContextSigner({ privateKey: stranger.privateKey, clock });
  expect(await verifyContext(await forge('ticketing', somebody))).toBeNull();
});

it('is invalid after a minute, also where it was seen before', async () => {
  const time = watch();
  const early = await openContextSigner({ privateKey: gateway.privateKey, clock: time })('ticketing', somebody);
  const late = openContextVerifier({ publicKeys: [gateway.publicKey], subgraph: 'ticketing', clock: time });
  expect(await late(early)).toEqual(somebody);
  time.forward(120);
  expect(await late(early)).toBeNull();
});

it.each([
  ['is missing', undefined],
  ['is empty', ''],
  ['is garbage', 'not.a.token'],
  ['is a list', ['a', 'b']],
])('is invalid when it %s', async (_what, token) => {
  expect(await verifyContext(token)).toBeNull();
});

it('is invalid when it is another kind of token', async () => {
  const other = await new SignJWT({ ...somebody })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .setIssuer('foyer-gateway')
    .setAudience('ticketing')
    .setExpirationTime('1m')
    .sign(createPrivateKey(gateway.privateKey));
  expect(await verifyContext(other)).toBeNull();
});

it('may be signed by the next key during a key rotation', async () => {
  const both = openContextVerifier({
    publicKeys: [stranger.publicKey, gateway.publicKey],
    subgraph: 'ticketing',
    clock,
  });
  expect(await both(await signContext('ticketing', somebody))).toEqual(somebody);
});
