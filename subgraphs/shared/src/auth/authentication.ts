import { decodeProtectedHeader, type JWTVerifyGetKey } from 'jose';

import { cookiesNamed } from './cookies.ts';
import { accessTokenVerifier } from './access-token.ts';
import type { Clock } from '../clock.ts';
import { Refusal } from '../errors.ts';
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

/**
 * The same for a REST route: a bearer that can't be used leaves the word to the cookie (spec 1, "Tokens and cookies"). One of
 * the legacy scheme does not: it has no cookie, and its client signs in again at a 401.
 *
 * @throws {Refusal} `UNAUTHENTICATED` for a bearer that can't be used, where no cookie proves who asks
 */
export async function authenticateByEither(
  authenticate: Authenticate,
  { authorization, cookie }: Credentials,
): Promise<Authentication> {
  try {
    return await authenticate({ authorization, cookie });
  } catch (error) {
    if (!isUnusable(error) || headerOf(bearerIn(authorization) ?? '').alg === 'HS256') throw error;
    const byCookie = await authenticate({ cookie });
    if (!byCookie.viewer) throw error;
    return byCookie;
  }
}

/** The same for a route that needs no token: one that can't be used counts as none, and leaves the word to the cookie. */
export async function authenticateIfAny(
  authenticate: Authenticate,
  { authorization, cookie }: Credentials,
): Promise<Authentication> {
  try {
    return await authenticate({ authorization, cookie });
  } catch (error) {
    if (!isUnusable(error)) throw error;
    return authenticate({ cookie });
  }
}

const isUnusable = (error: unknown) => error instanceof Refusal && error.code === 'UNAUTHENTICATED';

/** What became of a valid token since it was issued; `unknown` when it may be trusted for looking only. */
export type StandingOf = (bearer: Staff) => Promise<'good' | 'revoked' | 'unknown'>;

/** The same for a customer of the storefront. */
export type CustomerStandingOf = (bearer: Customer) => Promise<'good' | 'revoked' | 'unknown'>;

/** Verifies a token that an auth service elsewhere has signed; null when it is none, or not of somebody who is known here. */
export type ElsewhereSigned = (token: string, now: Date) => Promise<Staff | null>;

interface Needs {
  /** Our own key set. */
  keys: JWTVerifyGetKey;
  /** What access tokens say in `iss`; default ours. */
  issuer?: string | undefined;
  /** The ids of our own keys: what names one of them is nobody else's. */
  ownKeyIds?: readonly string[] | undefined;
  /** Tokens of a legacy auth service; without it there are none. */
  elsewhere?: ElsewhereSigned | undefined;
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
export function createAuthenticate(needs: Needs): Authenticate {
  const { keys, issuer, ownKeyIds, elsewhere, legacySecret, standingOf, customerStandingOf, clock } = needs;
  const verifyOwn = accessTokenVerifier(keys, issuer);

  async function viewerOf(token: string): Promise<Viewer | null> {
    if (token.length > TOKEN_LIMIT) return null;
    const bearer = await verified(token);
    if (bearer?.kind !== 'staff' && bearer?.kind !== 'customer') return bearer;
    const standing = await (bearer.kind === 'staff' ? standingOf(bearer) : customerStandingOf(bearer));
    if (standing === 'revoked') return null;
    return standing === 'unknown' ? { ...bearer, readOnly: true } : bearer;
  }

  async function verified(token: string): Promise<Viewer | null> {
    const { alg, kid } = headerOf(token);
    if (alg === 'HS256') return legacySecret ? verifyLegacyToken(legacySecret, token, clock.now()) : null;
    if (elsewhere && kid && !ownKeyIds?.includes(kid)) return elsewhere(token, clock.now());
    return verifyOwn(token, clock.now());
  }

  return async ({ authorization, cookie }) => {
    if (authorization?.trim()) {
      const bearer = bearerIn(authorization);
      const viewer = bearer ? await viewerOf(bearer) : null;
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

/** The token of an `Authorization` header, where it is a bearer's. */
function bearerIn(authorization = ''): string | undefined {
  const [scheme, bearer] = authorization.trim().split(/\s+/);
  return scheme?.toLowerCase() === 'bearer' ? bearer : undefined;
}

/** What a token says of its signature; nothing where it is no token. */
function headerOf(token: string): { alg?: string | undefined; kid?: string | undefined } {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return {};
  }
}
