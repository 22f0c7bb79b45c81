import type { Log } from '@foyer/shared/telemetry/log';
import { Refusal } from '@foyer/shared/errors';
import { decodeJwt, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import { LRUCache } from 'lru-cache';

import { remoteKeySet } from './key-set.ts';

/** The algorithms that a token may be signed with: asymmetric ones, as everybody may read a key set. */
export const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** A key set, and the tokens that its keys may prove. */
export interface TrustedIssuer {
  url: string;
  /** The accepted values of `iss`; any without. */
  issuer?: readonly string[] | undefined;
  /** The accepted values of `aud`; any without. */
  audience?: readonly string[] | undefined;
  algorithms: readonly (typeof algorithms)[number][];
  /** Headers of the requests for the key set. */
  headers: Readonly<Record<string, string>>;
}

/** The claims of a valid token; `exp` is always one of them. */
export type VerifiedToken = JWTPayload & { exp: number };

/** How far the clocks of issuers may differ from ours. */
export const CLOCK_TOLERANCE_SECONDS = 10;

/** A longer token could not be forwarded either. */
const TOKEN_LIMIT = 8_192;

/** How much memory verified tokens may take, in characters, and for how long the signature of one is not checked again. */
const REMEMBERED = 16 * 1024 * 1024;
const REMEMBERED_MS = 60_000;

/**
 * Verifies tokens with the keys of these issuers; the signature of each only once a minute. A token needs `exp`.
 *
 * @returns a function that returns null for an invalid token, and throws nothing but a Refusal `JWKS_UNAVAILABLE`, when its
 *   keys can't be read
 */
export function tokenVerifier(
  issuers: readonly TrustedIssuer[],
  log: Log,
): (token: string, now: Date) => Promise<VerifiedToken | null> {
  const trusted = issuers.map((issuer) => ({ issuer, keys: remoteKeySet({ ...issuer, log }) }));
  const verified = new LRUCache<string, VerifiedToken>({
    maxSize: REMEMBERED,
    sizeCalculation: (_claims, token) => token.length,
    ttl: REMEMBERED_MS,
  });

  async function verify(token: string, now: Date): Promise<VerifiedToken | null> {
    const named = issuerOf(token);
    let unavailable: unknown;
    for (const { issuer, keys } of trusted) {
      if (issuer.issuer && !issuer.issuer.includes(named ?? '')) continue;
      try {
        return await verifiedBy(keys, token, optionsOf(issuer, now));
      } catch (error) {
        if (error instanceof Refusal) unavailable = error;
        else if (!(error instanceof errors.JOSEError)) log.warn({ err: error }, 'a token can not be verified');
      }
    }
    if (unavailable) throw unavailable;
    return null;
  }

  return async (token, now) => {
    if (token.length > TOKEN_LIMIT) return null;
    const known = verified.get(token);
    if (known) return isCurrent(known, now) ? known : null;
    const claims = await verify(token, now);
    if (claims) verified.set(token, claims);
    return claims;
  };
}

const isCurrent = ({ exp }: VerifiedToken, now: Date) => now.getTime() < (exp + CLOCK_TOLERANCE_SECONDS) * 1_000;

/** The issuer that a token names, unverified; undefined also for text that is no token. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

const optionsOf = ({ issuer, audience, algorithms }: TrustedIssuer, now: Date): JWTVerifyOptions => ({
  algorithms: [...algorithms],
  ...(issuer && { issuer: [...issuer] }),
  ...(audience && { audience: [...audience] }),
  clockTolerance: CLOCK_TOLERANCE_SECONDS,
  currentDate: now,
  requiredClaims: ['exp'],
});

/** Where several keys fit, as for a token without `kid`, each is tried. */
async function verifiedBy(keys: JWTVerifyGetKey, token: string, options: JWTVerifyOptions): Promise<VerifiedToken> {
  try {
    return withExpiry((await jwtVerify(token, keys, options)).payload);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return withExpiry((await jwtVerify(token, key, options)).payload);
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw error;
  }
}

const withExpiry = (payload: JWTPayload): VerifiedToken => ({ ...payload, exp: payload.exp ?? 0 });
