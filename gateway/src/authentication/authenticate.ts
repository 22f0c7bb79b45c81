import type { Authenticate, Authentication, Credentials } from '@foyer/shared/auth/authentication';
import { cookiesNamed } from '@foyer/shared/auth/cookies';
import { unauthenticated } from '@foyer/shared/auth/viewer';
import type { Clock } from '@foyer/shared/clock';
import type { Log } from '@foyer/shared/telemetry/log';

import { accessClaimsOf } from '../authorization/claims.ts';
import { CLOCK_TOLERANCE_SECONDS, tokenVerifier, type TrustedIssuer, type VerifiedToken } from './verify-token.ts';

/** How clients authenticate by JSON Web Tokens. */
export interface JwtOptions {
  jwks: readonly TrustedIssuer[];
  /** The header that holds the token, its name in lower case, and the word before the token; none if empty. */
  header: { name: string; prefix: string };
  /** The name of a cookie that may hold the token instead. */
  cookie?: string | undefined;
  /** Whether a header with another prefix counts as none; otherwise it is an invalid token. */
  ignoreOtherPrefixes: boolean;
  /** Whether a request with an invalid token is refused, or continues as nobody's. */
  onError: 'refuse' | 'continue';
}

const nobody: Authentication = { viewer: null, by: 'nothing' };

/** How many cookies of one name are tried: another subdomain may have set a second one. */
const COOKIE_LIMIT = 4;

/**
 * Authenticates by a JSON Web Token in a header, or in a cookie. An invalid cookie is ignored, because browsers send it
 * without being asked to.
 */
export function jwtAuthenticate(options: JwtOptions, { clock, log }: { clock: Clock; log: Log }): Authenticate {
  const verify = tokenVerifier(options.jwks, log);
  const claimsOf = async (token: string | undefined) => (token ? verify(token, clock.now()) : null);

  return async (credentials) => {
    const given = inHeader(options, credentials);
    if (given) {
      const claims = await claimsOf(given.token);
      if (claims) return authenticated(claims, 'bearer');
      if (options.onError === 'refuse') throw unauthenticated();
      return nobody;
    }
    if (options.cookie === undefined) return nobody;
    for (const token of cookiesNamed(options.cookie, credentials.cookie).slice(0, COOKIE_LIMIT)) {
      const claims = await claimsOf(token);
      if (claims) return authenticated(claims, 'cookie');
    }
    return nobody;
  };
}

/** The header, as far as it counts; without a token when it has another form. */
function inHeader(
  { header, ignoreOtherPrefixes }: JwtOptions,
  credentials: Credentials,
): { token?: string } | undefined {
  const value = credentials[header.name];
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const words = value.trim().split(/\s+/);
  if (header.prefix === '') return words.length === 1 ? { token: words[0] ?? '' } : {};
  const [prefix = '', token] = words;
  if (prefix.toLowerCase() !== header.prefix.toLowerCase()) return ignoreOtherPrefixes ? undefined : {};
  return words.length === 2 && token ? { token } : {};
}

function authenticated(claims: VerifiedToken, by: 'bearer' | 'cookie'): Authentication {
  const { iss, sub, exp } = claims;
  return {
    viewer: {
      kind: 'token-bearer',
      ...(iss !== undefined && { issuer: iss }),
      ...(sub !== undefined && { subject: sub }),
      claims,
      expiresAt: exp + CLOCK_TOLERANCE_SECONDS,
    },
    by,
    access: accessClaimsOf(claims),
  };
}
