import { cookiesNamed } from '@foyer/shared/auth/cookies';

export const TOKEN_LIMIT = 4_096;
const COOKIE_LIMIT = 4;

/** Returns all refresh cookies of a request: another subdomain may have set a second one. */
export const refreshCookies = (cookie: string | undefined): string[] =>
  cookiesNamed('refresh_token', cookie)
    .filter((token) => token.length <= TOKEN_LIMIT)
    .slice(0, COOKIE_LIMIT);

/** Refresh tokens as operations take them. */
export const tokensOf = ([refreshToken, ...otherRefreshTokens]: readonly string[]) => ({
  refreshToken: refreshToken ?? null,
  otherRefreshTokens,
});
