import { audit } from '../audit/write-audit.ts';
import type { Context } from '../context.ts';
import { tokenHash } from '../tokens/tokens.ts';
import { personOf } from '../tenancy/person.ts';
import { clearTokens, deliverAccessToken, deliverTokens, type Platform, type LoginResult } from './deliver-tokens.ts';
import { issueTokens, type IssuedTokens } from './issue-tokens.ts';
import { presentedSession, presentedTokens, type Presented, type PresentedTokens, type Session } from './presented.ts';
import {
  clientTypeRequired,
  invalidRefreshToken,
  noRefreshToken,
  refreshTokenReused,
  refreshTokenRotated,
  sessionRefused,
} from './refusals.ts';
import { endOwnSessions } from './end-own-sessions.ts';

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
  if (!presented?.session) throw invalidRefreshToken();
  const { session, hash } = presented;
  const verdict = await assertUnspent(needs, session, presented.verdict, input.clientType);
  const { user } = session;
  assertMayStay(user);

  const holder = { userId: user.id, idpUserId: user.idpUserId, sessionId: session.id, organization: user.org };
  const issued = await issueTokens(needs, holder);
  if (verdict === 'current') await rotate(needs, session, hash, issued);

  const person = await needs.db.user.findUniqueOrThrow({ where: { id: user.id } });
  const about = { user: personOf(person), passwordChangeRequired: user.passwordChangeRequired };
  if (verdict === 'current') return deliverTokens(needs, input.clientType, issued, about);
  return deliverAccessToken(needs, issued, about);
}

/**
 * Asserts that the token is unused. A reused token ends the session for the thief and the owner alike.
 *
 * @returns `rotated` for a browser that lost a race by less than the configured grace: the winner's
 *   refresh cookie is in its jar already, so it gets an access token and nothing else
 */
async function assertUnspent(
  needs: Needs,
  session: Session,
  verdict: Presented['verdict'],
  platform: Platform,
): Promise<'current' | 'rotated'> {
  const now = needs.clock.now();
  if (verdict === 'expired' || verdict === 'ended') throw invalidRefreshToken();
  if (verdict === 'reused') {
    const { userId, user } = session;
    const which = { reason: 'refresh_token_reused', only: session.id } as const;
    await endOwnSessions(needs, { userId, organizationId: user.orgId }, which);
    clearTokens(needs);
    throw refreshTokenReused();
  }
  if (verdict === 'rotated' && !(platform === 'WEB' && within(needs.refreshGraceSeconds, session, now)))
    throw refreshTokenRotated();
  return verdict;
}

const within = (graceSeconds: number, { rotatedAt }: Session, now: Date) =>
  rotatedAt !== null && now.getTime() - rotatedAt.getTime() < graceSeconds * 1_000;

/** Pending and invited people pass, as documented: they have no session before they use their link. */
function assertMayStay({ accountState, org }: Session['user']): void {
  if (accountState === 'disabled') throw sessionRefused('ACCOUNT_DISABLED');
  if (org.status === 'disabled') throw sessionRefused('ORG_DISABLED');
  if (org.status === 'pending') throw sessionRefused('ORG_PENDING');
}

/** The token hash decides the race: a changed hash means that another refresh won. */
async function rotate(
  { db, clock, tokens, requestId }: Needs,
  { id, userId, user }: Session,
  presented: Uint8Array<ArrayBuffer>,
  issued: IssuedTokens,
) {
  await db.$transaction(async (tx) => {
    const now = clock.now();
    const { count } = await tx.refreshSession.updateMany({
      where: { id, tokenHash: presented },
      data: {
        tokenHash: tokenHash(issued.refreshToken),
        prevHash: presented,
        rotatedAt: now,
        lastUsedAt: now,
        expiresAt: new Date(now.getTime() + tokens.refreshSeconds * 1_000),
      },
    });
    if (count === 0)
      throw (await tx.refreshSession.count({ where: { id } })) ? refreshTokenRotated() : invalidRefreshToken();
    const target = { kind: 'session', id };
    const fact = { organizationId: user.orgId, userId, target, requestId };
    if (issued.roleMissed) await audit(tx, { ...fact, action: 'role.missed', result: 'refused' });
  });
}
