import type { Context } from '../context.ts';
import { personOf } from '../tenancy/person.ts';
import { clearTokens, deliverAccessToken, deliverTokens, type Platform, type LoginResult } from './deliver-tokens.ts';
import { readStanding, signAccess } from './issue-tokens.ts';
import { presentedSession, presentedTokens, type Presented, type PresentedTokens } from './presented.ts';
import {
  clientTypeRequired,
  invalidRefreshToken,
  noRefreshToken,
  refreshTokenReused,
  refreshTokenRotated,
  sessionRefused,
} from './refusals.ts';
import { endOwnSessions } from './end-own-sessions.ts';
import { rotateSession, type Rotated } from './rotate-session.ts';
import { judge } from './rotation.ts';

type Needs = Pick<
  Context,
  | 'db'
  | 'clock'
  | 'log'
  | 'identityProvider'
  | 'tokens'
  | 'cookieRules'
  | 'refreshGraceSeconds'
  | 'client'
  | 'reply'
  | 'requestId'
>;

/** Exchanges a refresh token for a new pair; of several simultaneous attempts exactly one succeeds. */
export async function refreshSession(
  needs: Needs,
  input: { clientType?: Platform | null | undefined } & PresentedTokens,
): Promise<LoginResult> {
  if (!input.clientType) throw clientTypeRequired();
  if (presentedTokens(input).length === 0) throw noRefreshToken();
  const presented = await presentedSession(needs, input);
  if (!presented) throw invalidRefreshToken();
  const now = needs.clock.now();
  const refreshToken = await needs.tokens.signRefresh(presented);
  const session = await rotateSession(needs, presented, refreshToken, now);
  if (!session) throw invalidRefreshToken();
  if (!session.rotated) return settleUnrotated(needs, presented, session, input.clientType);

  const access = await signAccess(needs, holderOf(presented, session), session, now);
  return deliverTokens(needs, input.clientType, { ...access, refreshToken }, about(session));
}

const holderOf = ({ userId, sessionId }: Presented, { idpUserId, organizationId, slug }: Rotated) => ({
  userId,
  sessionId,
  idpUserId,
  organization: { id: organizationId, slug },
});

const about = ({ person, passwordChangeRequired }: Rotated) => ({ user: personOf(person), passwordChangeRequired });

/**
 * Refuses a token that was not exchanged. A reused one ends the session for the thief and the owner alike. A browser that
 * lost a race by less than the configured grace has the winner's refresh cookie in its jar already: it gets an access
 * token and nothing else.
 */
async function settleUnrotated(
  needs: Needs,
  presented: Presented,
  session: Rotated,
  platform: Platform,
): Promise<LoginResult> {
  const { userId, sessionId, hash } = presented;
  const now = needs.clock.now();
  const verdict = judge(session, hash, now);
  if (verdict === 'expired') throw invalidRefreshToken();
  if (verdict === 'reused') {
    const which = { reason: 'refresh_token_reused', only: sessionId } as const;
    await endOwnSessions(needs, { userId, organizationId: session.organizationId }, which);
    clearTokens(needs);
    throw refreshTokenReused();
  }
  const inGrace = platform === 'WEB' && within(needs.refreshGraceSeconds, session, now);
  if (verdict === 'rotated' && !inGrace) throw refreshTokenRotated();
  assertMayStay(session);
  // The account was disabled when the exchange was refused, and has been enabled since.
  if (verdict === 'current') throw sessionRefused('ACCOUNT_DISABLED');
  const standing = await readStanding(needs.db, userId, session.organizationId);
  return deliverAccessToken(
    needs,
    await signAccess(needs, holderOf(presented, session), standing, now),
    about(session),
  );
}

const within = (graceSeconds: number, { rotatedAt }: Rotated, now: Date) =>
  rotatedAt !== null && now.getTime() - rotatedAt.getTime() < graceSeconds * 1_000;

/** Pending and invited people pass, as documented: they have no session before they use their link. */
function assertMayStay({ accountState, organizationStatus }: Rotated): void {
  if (accountState === 'disabled') throw sessionRefused('ACCOUNT_DISABLED');
  if (organizationStatus === 'disabled') throw sessionRefused('ORG_DISABLED');
  if (organizationStatus === 'pending') throw sessionRefused('ORG_PENDING');
}
