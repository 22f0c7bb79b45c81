import type { AuthOrganization, AuthUser, RefreshSession } from '@foyer/prisma/client';
import type { Id } from '@foyer/shared/ids';

import type { Context } from '../context.ts';
import { tokenHash } from '../tokens/tokens.ts';
import { judge, type Verdict } from './rotation.ts';

/** Refresh tokens as a client sends them: a browser may send several cookies of that name. */
export interface PresentedTokens {
  refreshToken?: string | null | undefined;
  otherRefreshTokens?: readonly string[] | null | undefined;
}

/** How many cookies of one name are tried. */
const COOKIE_LIMIT = 4;

/** One of our tokens and its session, unless that has ended. */
export interface Presented {
  userId: Id;
  sessionId: Id;
  hash: Uint8Array<ArrayBuffer>;
  session: Session | null;
  /** The token's state in its session; `ended` without one. */
  verdict: Verdict | 'ended';
}

export type Session = RefreshSession & { user: AuthUser & { org: AuthOrganization } };

/** By precedence: a stale cookie beside a live one is no theft. */
const order: Presented['verdict'][] = ['current', 'rotated', 'reused', 'expired', 'ended'];

/**
 * Finds the token that counts: a neighbouring subdomain may have planted another cookie in front of it, and a browser
 * may still send an older one of another domain.
 */
export async function presentedSession(
  { tokens, db, clock }: Pick<Context, 'tokens' | 'db' | 'clock'>,
  input: PresentedTokens,
): Promise<Presented | null> {
  const found: Presented[] = [];
  for (const token of presentedTokens(input)) {
    const claims = await tokens.verifyRefresh(token);
    if (!claims) continue;
    const { userId, sessionId } = claims;
    const hash = tokenHash(token);
    const session = await db.refreshSession.findUnique({
      where: { id: sessionId, userId },
      include: { user: { include: { org: true } } },
    });
    found.push({
      userId,
      sessionId,
      hash,
      session,
      verdict: session ? judge(session, hash, clock.now()) : 'ended',
    });
  }
  return found.toSorted((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict))[0] ?? null;
}

export const presentedTokens = ({ refreshToken, otherRefreshTokens }: PresentedTokens): string[] =>
  [refreshToken, ...(otherRefreshTokens ?? [])]
    .filter((token): token is string => Boolean(token))
    .slice(0, COOKIE_LIMIT);
