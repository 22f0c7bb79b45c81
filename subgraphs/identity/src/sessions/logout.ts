import { unauthenticated } from '@foyer/shared/viewer';

import type { Context } from '../context.ts';
import { clearTokens } from './deliver-tokens.ts';
import { endSession } from './end-session.ts';

type Needs = Pick<
  Context,
  'viewer' | 'db' | 'log' | 'identityProvider' | 'tokens' | 'cookieRules' | 'client' | 'reply' | 'requestId'
>;

/**
 * Ends the viewer's session; or, when the access token has expired, the one of the refresh token,
 * which would otherwise live on in the browser.
 *
 * @throws {Refusal} `UNAUTHENTICATED` without either, or without an access token where one is required
 */
export async function logout(
  needs: Needs,
  {
    refreshToken,
    accessTokenRequired,
  }: { refreshToken?: string | null | undefined; accessTokenRequired?: boolean | undefined },
): Promise<{ ended: boolean }> {
  const staff = needs.viewer?.kind === 'staff' ? needs.viewer : null;
  const sessionId = staff?.sessionId ?? (await sessionOf(needs, refreshToken));
  if (!sessionId) throw unauthenticated();

  const ended = await endSession(needs, sessionId, { reason: 'logout' });
  clearTokens(needs);
  if (accessTokenRequired && !staff) throw unauthenticated();
  return { ended };
}

async function sessionOf({ tokens }: Needs, refreshToken: string | null | undefined): Promise<string | undefined> {
  return refreshToken ? (await tokens.verifyRefresh(refreshToken))?.sessionId : undefined;
}
