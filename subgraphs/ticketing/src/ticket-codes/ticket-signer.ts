import {
  createHash,
  createPrivateKey,
  createPublicKey,
  randomBytes,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';

import { NONCE_BYTES, readTicketCode, ticketCode, type TicketFacts } from './ticket-code.ts';

/** Signs and reads the tickets of this installation. */
export interface TicketSigner {
  sign(facts: TicketFacts): string;
  /** @returns null for anything that this installation did not sign */
  read(code: string): TicketFacts | null;
  /** The keys to check tickets with (RFC 7517, RFC 8037). */
  publicKeys: readonly JsonWebKey[];
}

/**
 * @param current the private key that signs
 * @param previous the key that signed before, so that tickets already sold stay valid
 */
export function openTicketSigner(current: KeyObject, previous?: KeyObject): TicketSigner {
  const keys = [current, ...(previous ? [previous] : [])].map((key) => {
    const publicKey = createPublicKey(key);
    return { publicKey, kid: keyId(publicKey) };
  });
  const signingKey = { kid: keyId(createPublicKey(current)), privateKey: current };

  return {
    sign: (facts) => ticketCode(facts, signingKey, randomBytes(NONCE_BYTES)),
    read: (code) => readTicketCode(code, keys),
    publicKeys: keys.map(({ publicKey, kid }) => ({
      ...publicKey.export({ format: 'jwk' }),
      use: 'sig',
      alg: 'EdDSA',
      kid: String(kid),
    })),
  };
}

/**
 * Reads an Ed25519 private key.
 *
 * @param text PEM (PKCS #8) or a JWK in JSON
 * @throws {Error} when it is neither
 */
export function readSigningKey(text: string): KeyObject {
  const isJwk = text.trimStart().startsWith('{');
  const key = isJwk ? createPrivateKey({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' }) : createPrivateKey(text);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('must be an Ed25519 private key');
  return key;
}

/** One byte of the key's fingerprint, so that nobody has to number keys. Two keys may share it, so readers try each. */
const keyId = (publicKey: KeyObject) =>
  createHash('sha256')
    .update(publicKey.export({ format: 'der', type: 'spki' }))
    .digest()
    .readUInt8(0);
