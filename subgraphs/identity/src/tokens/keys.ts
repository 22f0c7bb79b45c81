import { createHash, createPublicKey } from 'node:crypto';

import { createLocalJWKSet, exportJWK, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** What verifies access tokens. */
export interface Keys {
  /** Finds the key by the id in the token's header. */
  verify: JWTVerifyGetKey;
  /** The public key set, as it is published. */
  jwks: JSONWebKeySet;
}

/**
 * Opens the key set of RSA keys.
 *
 * @param pems public keys, or private ones whose public halves count; the current one first
 */
export async function openKeys(pems: readonly string[]): Promise<Keys> {
  const all = await Promise.all(pems.map(publicJwk));
  const jwks = { keys: [...new Map(all.map((key) => [key.kid, key])).values()] };
  return { jwks, verify: createLocalJWKSet(jwks) };
}

/** The name of a key: the first eight bytes of the SHA-256 of the public key's DER. */
export const keyIdOf = (pem: string): string =>
  createHash('sha256')
    .update(createPublicKey(pem).export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);

const publicJwk = async (pem: string) => ({
  ...(await exportJWK(createPublicKey(pem))),
  kid: keyIdOf(pem),
  alg: 'RS256',
  use: 'sig',
});
