import type { SetCookie } from '@foyer/shared/http/request';

/** What all our cookies have in common. */
export interface CookieRules {
  domain?: string | undefined;
  secure: boolean;
}

export const cookie = (
  { domain, secure }: CookieRules,
  own: Pick<SetCookie, 'name' | 'path' | 'value' | 'maxAgeSeconds'>,
): SetCookie => ({ ...own, ...(domain && { domain }), httpOnly: true, secure, sameSite: 'Lax' });
