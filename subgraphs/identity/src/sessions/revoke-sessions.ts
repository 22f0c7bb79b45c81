import { isUuid, type Id } from '@foyer/shared/ids';
import { requireStaff } from '@foyer/shared/auth/viewer';

import type { Context } from '../context.ts';
import { clearTokens } from './deliver-tokens.ts';
import { sessionNotFound } from './refusals.ts';
import { endOwnSessions } from './end-own-sessions.ts';

type Needs = Pick<
  Context,
  'viewer' | 'db' | 'clock' | 'tokens' | 'log' | 'identityProvider' | 'client' | 'requestId' | 'cookieRules' | 'reply'
>;

/** @throws {Refusal} `SESSION_NOT_FOUND`, also for somebody else's */
export async function revokeSession(needs: Needs, id: Id): Promise<{ count: number }> {
  const viewer = requireStaff(needs.viewer);
  const count = isUuid(id) ? await endOwnSessions(needs, viewer, { reason: 'revoked', only: id }) : 0;
  if (count === 0) throw sessionNotFound();
  if (id === viewer.sessionId) clearTokens(needs);
  return { count };
}

/** Ends all sessions of the viewer except the current one. */
export async function revokeOtherSessions(needs: Needs): Promise<{ count: number }> {
  const viewer = requireStaff(needs.viewer);
  return { count: await endOwnSessions(needs, viewer, { reason: 'revoked', except: viewer.sessionId }) };
}

/** Ends all sessions of the viewer and clears the current tokens. */
export async function logoutEverywhere(needs: Needs): Promise<{ count: number }> {
  const viewer = requireStaff(needs.viewer);
  const count = await endOwnSessions(needs, viewer, { reason: 'logout_all' });
  clearTokens(needs);
  return { count };
}
