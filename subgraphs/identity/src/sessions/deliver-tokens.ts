import type { Reply } from '@foyer/shared/http/request';

import type { Tokens } from '../tokens/tokens.ts';
import type { Person } from '../tenancy/person.ts';
import { cookie, type CookieRules } from '../cookies/cookie.ts';
import type { IssuedTokens } from './issue-tokens.ts';

/** The answer to a login or a refresh. */
export interface LoginResult {
  user: Person;
  accessToken: string | null;
  refreshToken: string | null;
  expiresIn: number;
  passwordChangeRequired: boolean;
}

export type Platform = 'WEB' | 'MOBILE';

interface Needs {
  cookieRules: CookieRules;
  tokens: Tokens;
  reply: Reply;
}

/** Delivers new tokens: to a browser in cookies that no script can read, to a mobile client in the answer. */
export function deliverTokens(
  { cookieRules, tokens, reply }: Needs,
  platform: Platform,
  issued: IssuedTokens,
  about: Pick<LoginResult, 'user' | 'passwordChangeRequired'>,
): LoginResult {
  const { accessToken, refreshToken, expiresIn } = issued;
  if (platform === 'MOBILE') return { ...about, accessToken, refreshToken, expiresIn };

  reply.cookies.push(
    accessCookie(cookieRules, accessToken, expiresIn),
    refreshCookie(cookieRules, refreshToken, tokens.refreshSeconds),
  );
  return { ...about, accessToken: null, refreshToken: null, expiresIn };
}

/** Delivers an access token to a browser that keeps its refresh token. */
export function deliverAccessToken(
  { cookieRules, reply }: Pick<Needs, 'cookieRules' | 'reply'>,
  { accessToken, expiresIn }: Pick<IssuedTokens, 'accessToken' | 'expiresIn'>,
  about: Pick<LoginResult, 'user' | 'passwordChangeRequired'>,
): LoginResult {
  reply.cookies.push(accessCookie(cookieRules, accessToken, expiresIn));
  return { ...about, accessToken: null, refreshToken: null, expiresIn };
}

/** Clears both tokens of a browser. */
export function clearTokens({ cookieRules, reply }: Pick<Needs, 'cookieRules' | 'reply'>): void {
  reply.cookies.push(accessCookie(cookieRules, '', 0), refreshCookie(cookieRules, '', 0));
}

const accessCookie = (rules: CookieRules, value: string, maxAgeSeconds: number) =>
  cookie(rules, { name: 'access_token', path: '/', value, maxAgeSeconds });

const refreshCookie = (rules: CookieRules, value: string, maxAgeSeconds: number) =>
  cookie(rules, { name: 'refresh_token', path: '/api/v1', value, maxAgeSeconds });
