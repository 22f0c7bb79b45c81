import { randomBytes } from 'node:crypto';

import { tokenHash } from './tokens.ts';

/** Generates the token of a link in an e-mail: 32 random bytes, of which only the SHA-256 is stored. */
export function newLinkToken() {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: tokenHash(token) };
}
