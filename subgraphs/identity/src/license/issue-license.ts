import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';

import { z } from 'zod';

import { issueLicense, type LicenseClaims } from './license.ts';

/** What the operator types to issue a license. */
export const LicenseOrder = z.object({
  companyCode: z.string('is needed').trim().min(1, 'is needed').max(100, 'must have at most 100 characters'),
  days: z.coerce
    .number('must be a number of days')
    .int('must be a number of days')
    .min(1, 'must be at least 1')
    .max(36_500, 'must be at most 36500'),
  hosting: z.enum(['cloud', 'on_prem'], 'must be cloud or on_prem').default('on_prem'),
});

interface Issued extends LicenseClaims {
  license: string;
  /** The public key that verifies it: SPKI, PEM. */
  publicKey: string;
}

/**
 * Issues a license that is valid from now on.
 *
 * @throws {Error} when the key is none
 */
export async function issueFor(
  privateKey: string,
  { companyCode, days, hosting: hostingType }: z.output<typeof LicenseOrder>,
): Promise<Issued> {
  const expiresAt = new Date(Date.now() + days * 86_400_000);
  const claims: LicenseClaims = { companyCode, hostingType, expiresAt };
  const publicKey = createPublicKey(signingKeyIn(privateKey)).export({ type: 'spki', format: 'pem' }).toString();
  return { ...claims, license: await issueLicense(privateKey, claims), publicKey };
}

function signingKeyIn(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new Error('the signing key must be a private key in PEM', { cause });
  }
}

/** Generates a key pair to issue licenses with, as PEM. */
export function newLicenseKeys(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}
