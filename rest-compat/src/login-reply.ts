import { z } from 'zod';

import type { SignInPartsFragment } from './generated/operations.ts';

/** Decides how a client gets its tokens: as cookies or in the body. */
export const platform = z.enum(['web', 'mobile'], 'must be web or mobile');
/** The platforms in GraphQL. */
export const inCapitals = { web: 'WEB', mobile: 'MOBILE' } as const;

/** The answer to a login. Web clients get their tokens as cookies, never in a body (decisions: response shapes). */
export const loginReply = (session: SignInPartsFragment) => {
  const { user, accessToken, refreshToken } = session;
  return {
    success: true,
    ...(accessToken && refreshToken && { access_token: accessToken, refresh_token: refreshToken }),
    user: {
      id: user.id,
      username: user.username,
      email: user.email,
      first_name: user.firstName,
      last_name: user.lastName,
    },
    expires_in: session.expiresIn,
    password_change_required: session.passwordChangeRequired,
  };
};
