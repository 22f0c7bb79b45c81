import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';

import { readKept } from '@foyer/shared/process/read-kept';
import { writeWhole } from '@foyer/shared/process/write-whole';
import { z } from 'zod';

const random = () => randomBytes(32).toString('base64url');

const privateKey = (type: 'rsa' | 'ed25519') =>
  type === 'rsa'
    ? generateKeyPairSync('rsa', {
        modulusLength: 2048,
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
        publicKeyEncoding: { type: 'spki', format: 'pem' },
      }).privateKey
    : generateKeyPairSync('ed25519', {
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
        publicKeyEncoding: { type: 'spki', format: 'pem' },
      }).privateKey;

/** Every secret, and how to generate one. */
const makers = {
  AUTH_JWT_PRIVATE_KEY: () => privateKey('rsa'),
  AUTH_JWT_REFRESH_SECRET: random,
  LEGACY_JWT_SECRET: random,
  INTERNAL_PSK: random,
  EMAIL_SECRET_KEY: random,
  LICENSE_PRIVATE_KEY: () => privateKey('ed25519'),
  PAYMENT_GATEWAY_SECRET: random,
  PAYMENT_AGENT_TOKEN: () => `foyer-${randomBytes(6).toString('hex')}`,
  TICKET_SIGNING_KEY: () => privateKey('ed25519'),
  HOOK_SECRET: random,
  VIEWER_SIGNING_KEY: () => privateKey('ed25519'),
} as const;

export type Secrets = Record<keyof typeof makers, string>;

/** Generates a new set of secrets. */
export const newSecrets = (): Secrets =>
  Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, make()])) as Secrets;

/** Returns the public key of a private one, as SPKI in PEM: for processes that only verify. */
export const publicHalf = (privateKey: string): string =>
  createPublicKey(privateKey.replaceAll(String.raw`\n`, '\n'))
    .export({ type: 'spki', format: 'pem' })
    .toString();

const Kept = z.record(z.string(), z.string());

/**
 * Reads the secrets of this installation from a file, and generates the missing ones. Only the file's owner may read it.
 *
 * @throws {ConfigError} when the file is damaged: it must not be replaced, as its keys decrypt what is stored
 */
export async function loadOrCreateSecrets(file: string): Promise<Secrets> {
  const kept: Partial<Secrets> = (await readKept(file, Kept)) ?? {};
  const missing = (Object.keys(makers) as (keyof Secrets)[]).filter((name) => !kept[name]);
  if (missing.length === 0) return kept as Secrets;
  const secrets = { ...kept, ...Object.fromEntries(missing.map((name) => [name, makers[name]()])) } as Secrets;
  await writeWhole(file, JSON.stringify(secrets, null, 2));
  return secrets;
}
