import { createPublicKey } from 'node:crypto';

import { z } from 'zod';

import type { VerifyingKey } from './ticket-code.ts';

/** The content of /.well-known/ticket-keys.json, as far as it is needed to check tickets. */
const KeySet = z.object({
  keys: z.array(
    z.object({
      kty: z.literal('OKP'),
      crv: z.literal('Ed25519'),
      x: z.string(),
      kid: z.coerce.number().int().min(0).max(255),
    }),
  ),
});

/**
 * Reads the published keys.
 *
 * @throws {Error} when the text is not a key set of Ed25519 keys
 */
export function readPublishedKeys(text: string): VerifyingKey[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error('the keys are no JSON');
  }
  const parsed = KeySet.safeParse(content);
  if (!parsed.success) throw new Error('the keys are no JSON Web Key Set of Ed25519 keys');
  return parsed.data.keys.map(({ kid, ...jwk }) => ({ kid, publicKey: createPublicKey({ key: jwk, format: 'jwk' }) }));
}
