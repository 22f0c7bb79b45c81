import { createHash, createPrivateKey, randomUUID } from 'node:crypto';

import { ACCESS_TOKEN_ISSUER } from '@foyer/shared/auth/access-token';
import type { Clock } from '@foyer/shared/clock';
import { jwtVerify, SignJWT } from 'jose';
import { uuidText, type Id } from '@foyer/shared/ids';
import { z } from 'zod';

import { keyIdOf } from './keys.ts';

/** Signs all tokens of the auth service, and verifies those that only it reads (spec 1, "Tokens and cookies"). */
export interface Tokens {
  accessSeconds: number;
  refreshSeconds: number;
  /** @param issuedAt whole seconds since 1970 */
  signAccess(holder: TokenHolder, issuedAt: number, lifetimeSeconds: number): Promise<string>;
  signRefresh(session: RefreshClaims): Promise<string>;
  /** Null when it isn't a valid refresh token. */
  verifyRefresh(token: string): Promise<RefreshClaims | null>;
}

export interface TokenHolder {
  userId: Id;
  idpUserId: string;
  sessionId: Id;
  organization: { id: string; slug: string; role: string };
}

interface RefreshClaims {
  userId: Id;
  sessionId: Id;
}

interface Settings {
  /** RSA, PKCS#8, PEM. */
  privateKey: string;
  refreshSecret: string;
  accessSeconds: number;
  refreshSeconds: number;
  /** What access tokens say in `iss`; default ours. */
  issuer?: string | undefined;
  clock: Clock;
}

const Refresh = z.object({ sub: uuidText(), sid: uuidText() });

const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** Keeps a refresh token from passing for any other, even under the same secret (RFC 8725, 3.11). */
const REFRESH_TYPE = 'refresh+jwt';

export function openTokens({
  privateKey,
  refreshSecret,
  accessSeconds,
  refreshSeconds,
  issuer = ACCESS_TOKEN_ISSUER,
  clock,
}: Settings): Tokens {
  const signingKey = createPrivateKey(privateKey);
  const kid = keyIdOf(privateKey);
  // Opened once: jose would import the bytes of a secret for each token.
  const refreshKey = crypto.subtle.importKey('raw', new TextEncoder().encode(refreshSecret), HMAC, false, [
    'sign',
    'verify',
  ]);
  const seconds = () => Math.floor(clock.now().getTime() / 1_000);

  return {
    accessSeconds,
    refreshSeconds,
    signAccess: ({ userId, idpUserId, sessionId, organization }, issuedAt, lifetimeSeconds) =>
      new SignJWT({
        uid: userId,
        zid: idpUserId,
        sid: sessionId,
        org: { org_id: organization.id, org_slug: organization.slug, role: organization.role },
      })
        .setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .setJti(randomUUID())
        .sign(signingKey),
    signRefresh: async ({ userId, sessionId }) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: REFRESH_TYPE })
        .setSubject(userId)
        .setIssuedAt(seconds())
        .setExpirationTime(seconds() + refreshSeconds)
        .setJti(randomUUID())
        .sign(await refreshKey),
    async verifyRefresh(token) {
      try {
        const options = { algorithms: ['HS256'], typ: REFRESH_TYPE, currentDate: clock.now() };
        const { sub, sid } = Refresh.parse((await jwtVerify(token, await refreshKey, options)).payload);
        return { userId: sub, sessionId: sid };
      } catch {
        return null;
      }
    },
  };
}

/** The stored hash of a token that must be recognised later. */
export const tokenHash = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(token).digest());
