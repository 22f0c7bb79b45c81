import { z } from 'zod';

import type { SignInPartsFragment } from './generated/operations.ts';

/** How a client gets its tokens. */
export const platform = z.enum(['web', 'mobile'], 'must be web or mobile');
/** The same, as GraphQL writes it. */
export const inCapitals = { web: 'WEB', mobile: 'MOBILE' } as const;

/** Web clients get their tokens as cookies and never in a body (decisions: response shapes). */
export const signIn = (session: SignInPartsFragment) => {
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
