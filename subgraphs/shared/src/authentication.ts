import { decodeProtectedHeader, type JWTVerifyGetKey } from 'jose';

import { cookiesNamed } from './cookies.ts';
import { accessTokenVerifier } from './access-token.ts';
import type { Clock } from './clock.ts';
import { Refusal } from './errors.ts';
import { verifyLegacyToken } from './legacy-token.ts';
import { unauthenticated, type Customer, type Staff, type Viewer } from './viewer.ts';

/** What a request brings to prove who asks. */
export interface Credentials {
  /** The `Authorization` header as sent. */
  authorization?: string | undefined;
  /** The `Cookie` header as sent. */
  cookie?: string | undefined;
}

export interface Authentication {
  viewer: Viewer | null;
  /** What proved it: a cookie travels by itself, so unsafe requests that rest on one need an Origin check. */
  by: 'bearer' | 'cookie' | 'nothing';
}

/**
 * Verifies the credentials of a request, once, at the edge.
 *
 * A bearer token that does not verify is refused; a cookie that does not is as good as none,
 * because the client may not even know that it sends it.
 *
 * @throws {Refusal} `UNAUTHENTICATED`
 */
export type Authenticate = (credentials: Credentials) => Promise<Authentication>;

/** The same for a route that needs no token: one that can't be used counts as none, and leaves the word to the cookie. */
export async function authenticateIfAny(
  authenticate: Authenticate,
  { authorization, cookie }: Credentials,
): Promise<Authentication> {
  try {
    return await authenticate({ authorization, cookie });
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'UNAUTHENTICATED')) throw error;
    return authenticate({ cookie });
  }
}

/** What became of a valid token since it was issued; `unknown` when it may be trusted for looking only. */
export type StandingOf = (bearer: Staff) => Promise<'good' | 'revoked' | 'unknown'>;

/** The same for a customer of the storefront. */
export type CustomerStandingOf = (bearer: Customer) => Promise<'good' | 'revoked' | 'unknown'>;

interface Needs {
  /** The key set of the auth service: its own keys, or jose's remote key set. */
  keys: JWTVerifyGetKey;
  /** The secret of legacy tokens; without it there are none. */
  legacySecret?: string | undefined;
  /** Throws when it can't be known and nobody may be let in on trust. */
  standingOf: StandingOf;
  /** The same for customers. */
  customerStandingOf: CustomerStandingOf;
  clock: Clock;
}

/** A longer token is nothing that we issued. */
const TOKEN_LIMIT = 8_192;

/** How many cookies of one name are tried. */
const COOKIE_LIMIT = 4;

/** Makes the check of credentials that the whole house uses. */
export function createAuthenticate({ keys, legacySecret, standingOf, customerStandingOf, clock }: Needs): Authenticate {
  const verifyAccessToken = accessTokenVerifier(keys);

  async function viewerOf(token: string): Promise<Viewer | null> {
    if (token.length > TOKEN_LIMIT) return null;
    const bearer = await verified(token);
    if (bearer?.kind !== 'staff' && bearer?.kind !== 'customer') return bearer;
    const standing = await (bearer.kind === 'staff' ? standingOf(bearer) : customerStandingOf(bearer));
    if (standing === 'revoked') return null;
    return standing === 'unknown' ? { ...bearer, readOnly: true } : bearer;
  }

  function verified(token: string): Promise<Viewer | null> {
    if (algorithmOf(token) !== 'HS256') return verifyAccessToken(token, clock.now());
    return legacySecret ? verifyLegacyToken(legacySecret, token, clock.now()) : Promise.resolve(null);
  }

  return async ({ authorization, cookie }) => {
    const [scheme, bearer] = authorization?.trim().split(/\s+/) ?? [];
    if (authorization?.trim()) {
      const viewer = scheme?.toLowerCase() === 'bearer' && bearer ? await viewerOf(bearer) : null;
      if (!viewer) throw unauthenticated();
      return { viewer, by: 'bearer' };
    }
    // A neighbouring subdomain may have planted a second cookie of that name: only a valid one counts.
    for (const token of cookiesNamed('access_token', cookie).slice(0, COOKIE_LIMIT)) {
      const viewer = await viewerOf(token);
      if (viewer?.kind === 'staff') return { viewer, by: 'cookie' };
    }
    return { viewer: null, by: 'nothing' };
  };
}

function algorithmOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).alg;
  } catch {
    return undefined;
  }
}
