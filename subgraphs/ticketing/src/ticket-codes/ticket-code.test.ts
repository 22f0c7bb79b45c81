import { generateKeyPairSync, sign } from 'node:crypto';

import { decode, encode } from 'base45';
import { describe, expect, it } from 'vitest';

import type { TicketFacts } from './ticket-code.ts';
import { openTicketSigner, readSigningKey } from './ticket-signer.ts';

const newKey = () => generateKeyPairSync('ed25519').privateKey;
const privateKey = newKey();
const signer = openTicketSigner(privateKey);

const facts: TicketFacts = {
  kind: 'admission',
  id: 1_099_511_627_775n,
  serial: 1_000,
  ticketGroupId: 7n,
  admitDate: new Date('2026-12-24T00:00:00Z'),
};

describe('a ticket code', () => {
  it('holds what it admits to', () => {
    expect(signer.read(signer.sign(facts))).toEqual(facts);
  });

  it('has 135 characters, all of them those that a QR code packs densest', () => {
    expect(signer.sign(facts)).toMatch(/^[0-9A-Z $%*+\-./:]{135}$/);
  });

  it('differs each time, so that none can be guessed from another', () => {
    expect(signer.sign(facts)).not.toBe(signer.sign(facts));
  });

  it('distinguishes a line from an admission', () => {
    expect(signer.read(signer.sign({ ...facts, kind: 'line' }))?.kind).toBe('line');
  });

  it.each(Array.from({ length: 88 }, (_, index) => index))('is invalid once byte %i is changed', (index) => {
    const bytes = decode(signer.sign(facts).slice(3));
    bytes.writeUInt8(bytes.readUInt8(index) ^ 1, index);

    expect(signer.read(`T1:${encode(bytes)}`)).toBeNull();
  });

  it('is invalid when another key signed it', () => {
    expect(signer.read(openTicketSigner(newKey()).sign(facts))).toBeNull();
  });

  it('is invalid when another key signed it under the id of ours', () => {
    const payload = decode(signer.sign(facts).slice(3)).subarray(0, 24);

    expect(signer.read(`T1:${encode(Buffer.concat([payload, sign(null, payload, newKey())]))}`)).toBeNull();
  });

  it.each(['', 'T1:', 'T1:!!!', 'T2:ABC', `T1:${'0'.repeat(132)}`, 'T1:ÄÖÜ', 'x'.repeat(10_000)])(
    'is not %j',
    (text) => {
      expect(signer.read(text)).toBeNull();
    },
  );

  it('has one spelling only', () => {
    const code = signer.sign(facts);

    expect(signer.read(code.toLowerCase())).toBeNull();
    expect(signer.read(`${code} `)).toBeNull();
  });

  it('of a previous key stays valid after a rotation', () => {
    const rotated = openTicketSigner(newKey(), privateKey);

    expect(rotated.read(signer.sign(facts))).toEqual(facts);
  });

  it('can be checked with the published key alone', () => {
    expect(signer.publicKeys).toEqual([
      {
        kty: 'OKP',
        crv: 'Ed25519',
        x: expect.any(String),
        use: 'sig',
        alg: 'EdDSA',
        kid: expect.stringMatching(/^\d+$/),
      },
    ]);
  });
});

describe('a signing key', () => {
  it('is read from PEM and from JWK', () => {
    const pem = readSigningKey(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    const jwk = readSigningKey(JSON.stringify(privateKey.export({ format: 'jwk' })));

    expect(pem.equals(privateKey)).toBe(true);
    expect(jwk.equals(privateKey)).toBe(true);
  });

  it('is refused when it is of another kind', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export({
      format: 'pem',
      type: 'pkcs8',
    });

    expect(() => readSigningKey(rsa.toString())).toThrow('Ed25519');
  });
});
