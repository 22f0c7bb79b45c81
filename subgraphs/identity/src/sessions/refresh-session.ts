import type { AuthOrganization, AuthUser, RefreshSession } from '@foyer/prisma/client';

import type { Context } from '../context.ts';
import { tokenHash } from '../tokens/tokens.ts';
import { personOf } from '../users/person.ts';
import { clearTokens, deliverTokens, type Platform, type SignIn } from './deliver-tokens.ts';
import { endSession } from './end-session.ts';
import { issueTokens, type IssuedTokens } from './issue-tokens.ts';
import {
  clientTypeRequired,
  invalidRefreshToken,
  noRefreshToken,
  refreshTokenReused,
  refreshTokenRotated,
  sessionRefused,
} from './refusals.ts';
import { judge } from './rotation.ts';

type Needs = Pick<
  Context,
  'db' | 'clock' | 'log' | 'identityProvider' | 'tokens' | 'cookieRules' | 'client' | 'reply' | 'requestId'
>;

type Session = RefreshSession & { user: AuthUser & { org: AuthOrganization } };

/** Exchanges a refresh token for a new pair; of several at the same time, exactly one succeeds. */
export async function refreshSession(
  needs: Needs,
  input: { clientType?: Platform | null | undefined; refreshToken?: string | null | undefined },
): Promise<SignIn> {
  if (!input.clientType) throw clientTypeRequired();
  if (!input.refreshToken) throw noRefreshToken();
  const presented = tokenHash(input.refreshToken);

  const session = await findSession(needs, input.refreshToken);
  await assertCurrent(needs, session, presented);
  const { user } = session;
  assertMayStay(user);

  const holder = { userId: user.id, idpUserId: user.idpUserId, sessionId: session.id, organization: user.org };
  const issued = await issueTokens(needs, holder);
  await rotate(needs, session, presented, issued);

  const person = await needs.db.user.findUniqueOrThrow({ where: { id: user.id } });
  return deliverTokens(needs, input.clientType, issued, {
    user: personOf(person),
    passwordChangeRequired: user.passwordChangeRequired,
  });
}

async function findSession({ db, tokens }: Needs, refreshToken: string): Promise<Session> {
  const claims = await tokens.verifyRefresh(refreshToken);
  if (!claims) throw invalidRefreshToken();
  const session = await db.refreshSession.findUnique({
    where: { id: claims.sessionId, userId: claims.userId },
    include: { user: { include: { org: true } } },
  });
  if (!session) throw invalidRefreshToken();
  return session;
}

/** A token that somebody used before ends the session: the thief's and the owner's alike. */
async function assertCurrent(needs: Needs, session: Session, presented: Uint8Array): Promise<void> {
  const verdict = judge(session, presented, needs.clock.now());
  if (verdict === 'rotated') throw refreshTokenRotated();
  if (verdict === 'expired') throw invalidRefreshToken();
  if (verdict === 'reused') {
    await endSession(needs, session.id, { reason: 'refresh_token_reused' });
    clearTokens(needs);
    throw refreshTokenReused();
  }
}

/** Pending and invited people pass, as documented: they have no session before they redeem their link. */
function assertMayStay({ accountState, org }: Session['user']): void {
  if (accountState === 'disabled') throw sessionRefused('ACCOUNT_DISABLED');
  if (org.status === 'disabled') throw sessionRefused('ORG_DISABLED');
  if (org.status === 'pending') throw sessionRefused('ORG_PENDING');
}

/** The token hash decides the race: who finds it changed has lost. */
async function rotate(
  { db, clock, tokens }: Needs,
  { id }: Session,
  presented: Uint8Array<ArrayBuffer>,
  issued: IssuedTokens,
) {
  const now = clock.now();
  const { count } = await db.refreshSession.updateMany({
    where: { id, tokenHash: presented },
    data: {
      tokenHash: tokenHash(issued.refreshToken),
      prevHash: presented,
      rotatedAt: now,
      lastUsedAt: now,
      expiresAt: new Date(now.getTime() + tokens.refreshSeconds * 1_000),
    },
  });
  if (count === 0) throw refreshTokenRotated();
}
