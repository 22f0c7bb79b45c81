import { jwtVerify, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

import { uuidText } from '../ids.ts';
import type { Staff } from './viewer.ts';

/** The default `iss` of access tokens, which names the auth service. */
export const ACCESS_TOKEN_ISSUER = 'foyer-auth';

/** What an access token says (spec 1, "Access token claims"). Ids of any version: the platform's fixed id has none. */
export const AccessTokenClaims = z.object({
  iss: z.string(),
  sub: uuidText(),
  iat: z.int(),
  exp: z.int(),
  jti: uuidText(),
  uid: uuidText(),
  zid: z.string().min(1),
  sid: uuidText(),
  org: z.object({ org_id: uuidText(), org_slug: z.string(), role: z.string().min(1) }),
});

export type AccessTokenClaims = z.output<typeof AccessTokenClaims>;

/** How far the clocks of two replicas may differ; a block time may also be up to a second ahead. */
export const CLOCK_SKEW_SECONDS = 60;

function isCurrent({ issuedAt, expiresAt }: Staff, now: Date): boolean {
  const seconds = now.getTime() / 1_000;
  return issuedAt <= seconds + CLOCK_SKEW_SECONDS && expiresAt > Math.floor(seconds);
}

/** The bearer of an access token; null when it isn't a valid one at that moment. */
async function verifyAccessToken(
  { keys, issuer }: { keys: JWTVerifyGetKey; issuer: string },
  token: string,
  now: Date,
): Promise<Staff | null> {
  try {
    const { payload } = await jwtVerify(token, keys, { algorithms: ['RS256'], typ: 'JWT', issuer, currentDate: now });
    const claims = AccessTokenClaims.parse(payload);
    if (claims.sub !== claims.uid) return null;
    const staff: Staff = {
      kind: 'staff',
      userId: claims.uid,
      idpUserId: claims.zid,
      organizationId: claims.org.org_id,
      organizationSlug: claims.org.org_slug,
      role: claims.org.role,
      sessionId: claims.sid,
      tokenId: claims.jti,
      issuedAt: claims.iat,
      expiresAt: claims.exp,
    };
    return isCurrent(staff, now) ? staff : null;
  } catch {
    return null;
  }
}

/** How many verified tokens are cached, and for how long, which is also how long a withdrawn key stays trusted. */
const REMEMBERED = 10_000;
const REMEMBERED_MS = 60_000;

/** Verifies access tokens. */
export interface AccessTokenVerifier {
  /** The bearer of a token that was verified a moment ago, without reading it again; undefined for any other token. */
  known(token: string, now: Date): Staff | null | undefined;
  verify(token: string, now: Date): Promise<Staff | null>;
}

/**
 * Verifies access tokens, and the signature of each only once a minute, because that costs as much as a small query.
 * Expiry is checked each time; revocation is not checked here.
 */
export function accessTokenVerifier(keys: JWTVerifyGetKey, issuer: string = ACCESS_TOKEN_ISSUER): AccessTokenVerifier {
  const genuine = new LRUCache<string, Staff>({ max: REMEMBERED, ttl: REMEMBERED_MS });
  const known: AccessTokenVerifier['known'] = (token, now) => {
    const staff = genuine.get(token);
    return staff && (isCurrent(staff, now) ? staff : null);
  };
  return {
    known,
    async verify(token, now) {
      const before = known(token, now);
      if (before !== undefined) return before;
      const staff = await verifyAccessToken({ keys, issuer }, token, now);
      if (staff) genuine.set(token, staff);
      return staff;
    },
  };
}
