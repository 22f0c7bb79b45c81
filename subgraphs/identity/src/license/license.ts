import { createPrivateKey, createPublicKey } from 'node:crypto';

import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** The claims of a license. */
export interface LicenseClaims {
  companyCode: string;
  hostingType: 'cloud' | 'on_prem';
  expiresAt: Date;
}

const Claims = z.object({
  company_code: z.string().min(1),
  hosting_type: z.enum(['cloud', 'on_prem']),
  exp: z.int(),
});

/**
 * Writes a license key: a JWT signed with EdDSA.
 *
 * @param privateKey Ed25519, PKCS#8, PEM
 */
export const issueLicense = (
  privateKey: string,
  { companyCode, hostingType, expiresAt }: LicenseClaims,
  now = new Date(),
): Promise<string> =>
  new SignJWT({ company_code: companyCode, hosting_type: hostingType })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .setIssuedAt(Math.floor(now.getTime() / 1_000))
    .setExpirationTime(Math.floor(expiresAt.getTime() / 1_000))
    .sign(createPrivateKey(privateKey));

/**
 * Reads a license key.
 *
 * @param publicKey Ed25519, SPKI, PEM
 * @throws an error that says what is wrong: signature, expiry, or a missing claim
 */
export async function verifyLicense(publicKey: string, key: string, now: Date): Promise<LicenseClaims> {
  const { payload } = await jwtVerify(key, createPublicKey(publicKey), { algorithms: ['EdDSA'], currentDate: now });
  const { company_code, hosting_type, exp } = Claims.parse(payload);
  return { companyCode: company_code, hostingType: hosting_type, expiresAt: new Date(exp * 1_000) };
}

const SOON_MS = 30 * 86_400_000;

/** Whether a license ends within a month: time to ask for a new one. */
export const endsSoon = ({ expiresAt }: Pick<LicenseClaims, 'expiresAt'>, now: Date): boolean =>
  expiresAt.getTime() - now.getTime() < SOON_MS;
