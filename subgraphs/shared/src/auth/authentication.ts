import { decodeProtectedHeader, type JWTVerifyGetKey } from 'jose';

import type { AccessClaims } from './access-claims.ts';
import { cookiesNamed } from './cookies.ts';
import { accessTokenVerifier } from './access-token.ts';
import type { Clock } from '../clock.ts';
import { Refusal } from '../errors.ts';
import { verifyLegacyToken } from './legacy-token.ts';
import { unauthenticated, type Customer, type Staff, type Viewer } from './viewer.ts';

/** The credentials of a request. */
export interface Credentials {
  /** The `Authorization` header as sent. */
  authorization?: string | undefined;
  /** The `Cookie` header as sent. */
  cookie?: string | undefined;
  /** Any other header: an operator may have tokens sent in one. */
  [header: string]: string | readonly string[] | undefined;
}

export interface Authentication {
  viewer: Viewer | null;
  /** The credential that proved it: browsers send cookies by themselves, so an unsafe request with a cookie needs an Origin check. */
  by: 'bearer' | 'cookie' | 'nothing';
  /** What the credential of a caller without an account here proves; without it the viewer decides. */
  access?: AccessClaims;
}

/**
 * Verifies the credentials of a request, once, at the edge.
 *
 * An invalid bearer token is refused; an invalid cookie is ignored, because browsers send it without being asked to.
 *
 * @throws {Refusal} `UNAUTHENTICATED`
 */
export type Authenticate = (credentials: Credentials) => Promise<Authentication>;

/**
 * Authenticates a REST request: where the bearer token can't be used, the cookie decides (spec 1, "Tokens and cookies").
 * Where a token is required, this does not apply to a legacy token, which has no cookie: its client logs in again after a
 * 401.
 *
 * @throws {Refusal} `UNAUTHENTICATED` where a token is required, the bearer token can't be used, and no cookie is valid
 */
export async function authenticateRequest(
  authenticate: Authenticate,
  { authorization, cookie }: Credentials,
  token: 'required' | 'optional',
): Promise<Authentication> {
  try {
    return await authenticate({ authorization, cookie });
  } catch (error) {
    if (!isUnusable(error)) throw error;
    if (token === 'optional') return authenticate({ cookie });
    const byCookie = isLegacy(authorization) ? null : await authenticate({ cookie });
    if (!byCookie?.viewer) throw error;
    return byCookie;
  }
}

const isLegacy = (authorization: string | undefined) => headerOf(bearerIn(authorization) ?? '').alg === 'HS256';

const isUnusable = (error: unknown) => error instanceof Refusal && error.code === 'UNAUTHENTICATED';

/** The standing of a valid token since it was issued; with `unknown` it may be used for reading only. */
export type StandingOf = (bearer: Staff) => Promise<'good' | 'revoked' | 'unknown'>;

/** The same for a customer of the storefront. */
export type CustomerStandingOf = (bearer: Customer) => Promise<'good' | 'revoked' | 'unknown'>;

/** Verifies a token of an external auth service; null for an invalid one, or one of an unknown user. */
export type ElsewhereSigned = (token: string, now: Date) => Promise<Staff | null>;

interface Needs {
  /** Our own key set. */
  keys: JWTVerifyGetKey;
  /** The `iss` of access tokens; by default Foyer's. */
  issuer?: string | undefined;
  /** The ids of our own keys: a token that names one of them is not external. */
  ownKeyIds?: readonly string[] | undefined;
  /** Verifies tokens of a legacy auth service; without it there are none. */
  elsewhere?: ElsewhereSigned | undefined;
  /** The secret of legacy tokens; without it there are none. */
  legacySecret?: string | undefined;
  /** Throws when the standing can't be read and the token must not be trusted without. */
  standingOf: StandingOf;
  /** The same for customers. */
  customerStandingOf: CustomerStandingOf;
  clock: Clock;
}

/** A longer token can't be one of ours. */
const TOKEN_LIMIT = 8_192;

/** How many cookies of one name are tried. */
const COOKIE_LIMIT = 4;

/** Creates the authentication that every endpoint of Foyer uses. */
export function createAuthenticate(needs: Needs): Authenticate {
  const { keys, issuer, ownKeyIds, elsewhere, legacySecret, standingOf, customerStandingOf, clock } = needs;
  const own = accessTokenVerifier(keys, issuer);

  async function viewerOf(token: string): Promise<Viewer | null> {
    if (token.length > TOKEN_LIMIT) return null;
    const known = own.known(token, clock.now());
    const bearer = known === undefined ? await verified(token) : known;
    if (bearer?.kind !== 'staff' && bearer?.kind !== 'customer') return bearer;
    const standing = await (bearer.kind === 'staff' ? standingOf(bearer) : customerStandingOf(bearer));
    if (standing === 'revoked') return null;
    return standing === 'unknown' ? { ...bearer, readOnly: true } : bearer;
  }

  async function verified(token: string): Promise<Viewer | null> {
    const { alg, kid } = headerOf(token);
    if (alg === 'HS256') return legacySecret ? verifyLegacyToken(legacySecret, token, clock.now()) : null;
    if (elsewhere && kid && !ownKeyIds?.includes(kid)) return elsewhere(token, clock.now());
    return own.verify(token, clock.now());
  }

  return async ({ authorization, cookie }) => {
    if (authorization?.trim()) {
      const bearer = bearerIn(authorization);
      const viewer = bearer ? await viewerOf(bearer) : null;
      if (!viewer) throw unauthenticated();
      return { viewer, by: 'bearer' };
    }
    // Another subdomain may have set a second cookie of that name: only a valid one counts.
    for (const token of cookiesNamed('access_token', cookie).slice(0, COOKIE_LIMIT)) {
      const viewer = await viewerOf(token);
      if (viewer?.kind === 'staff') return { viewer, by: 'cookie' };
    }
    return { viewer: null, by: 'nothing' };
  };
}

/** The bearer token of an `Authorization` header. */
function bearerIn(authorization = ''): string | undefined {
  const [scheme, bearer] = authorization.trim().split(/\s+/);
  return scheme?.toLowerCase() === 'bearer' ? bearer : undefined;
}

/** The header of a token; empty for text that is no token. */
function headerOf(token: string): { alg?: string | undefined; kid?: string | undefined } {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return {};
  }
}
