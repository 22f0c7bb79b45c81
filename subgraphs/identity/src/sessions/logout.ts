import { unauthenticated } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { clearTokens } from './deliver-tokens.ts';
import { presentedSession } from './presented.ts';
import { endOwnSessions } from './end-own-sessions.ts';

type Needs = Pick<
  Context,
  'viewer' | 'db' | 'clock' | 'log' | 'identityProvider' | 'tokens' | 'cookieRules' | 'client' | 'reply' | 'requestId'
>;

interface LogoutInput {
  refreshToken?: string | null | undefined;
  otherRefreshTokens?: readonly string[] | null | undefined;
  accessTokenRequired?: boolean | undefined;
}

/**
 * Ends the viewer's session. When the access token has expired, it ends the session of the refresh token, which would
 * otherwise live on in the browser.
 *
 * @throws {Refusal} `UNAUTHENTICATED` without either, or without an access token where one is required
 */
export async function logout(needs: Needs, input: LogoutInput): Promise<{ ended: boolean }> {
  const staff = needs.viewer?.kind === 'staff' ? needs.viewer : null;
  const session = staff ?? (await presentedSession(needs, input));
  if (!session) throw unauthenticated();

  const { userId, sessionId } = session;
  const user = await needs.db.authUser.findUnique({ where: { id: userId } });
  const ended = user
    ? await endOwnSessions(needs, { userId, organizationId: user.orgId }, { reason: 'logout', only: sessionId })
    : 0;
  clearTokens(needs);
  if (input.accessTokenRequired && !staff) throw unauthenticated();
  return { ended: ended > 0 };
}
