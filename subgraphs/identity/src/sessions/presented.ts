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

/** One of our tokens, by its session. */
export interface Presented {
  userId: Id;
  sessionId: Id;
  hash: Uint8Array<ArrayBuffer>;
}

type Needs = Pick<Context, 'tokens' | 'db' | 'clock'>;

/** By precedence: a stale cookie beside a live one is no theft. */
const order: (Verdict | 'ended')[] = ['current', 'rotated', 'reused', 'expired', 'ended'];

/**
 * Finds the token that counts: a neighbouring subdomain may have planted another cookie in front of it, and a browser
 * may still send an older one of another domain.
 */
export async function presentedSession(needs: Needs, input: PresentedTokens): Promise<Presented | null> {
  const found = await Promise.all(presentedTokens(input).map((token) => read(needs, token)));
  const [only, ...others] = found.filter((presented) => presented !== null);
  if (!only || others.length === 0) return only ?? null;
  const judged = await Promise.all(
    [only, ...others].map(async (each) => ({ each, place: order.indexOf(await verdictOf(needs, each)) })),
  );
  return judged.toSorted((one, other) => one.place - other.place)[0]?.each ?? null;
}

async function read({ tokens }: Needs, token: string): Promise<Presented | null> {
  const claims = await tokens.verifyRefresh(token);
  return claims && { ...claims, hash: tokenHash(token) };
}

async function verdictOf({ db, clock }: Needs, { userId, sessionId, hash }: Presented): Promise<Verdict | 'ended'> {
  const session = await db.refreshSession.findUnique({ where: { id: sessionId, userId } });
  return session ? judge(session, hash, clock.now()) : 'ended';
}

export const presentedTokens = ({ refreshToken, otherRefreshTokens }: PresentedTokens): string[] =>
  [refreshToken, ...(otherRefreshTokens ?? [])]
    .filter((token): token is string => Boolean(token))
    .slice(0, COOKIE_LIMIT);
