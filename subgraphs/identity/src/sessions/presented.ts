import type { Context } from '../context.ts';

/** Refresh tokens as a client sends them: a browser may send several cookies of that name. */
export interface PresentedTokens {
  refreshToken?: string | null | undefined;
  otherRefreshTokens?: readonly string[] | null | undefined;
}

/** How many cookies of one name are tried. */
const COOKIE_LIMIT = 4;

/** The first token that is one of ours: a neighbouring subdomain may have planted another in front of it. */
export async function presentedSession(
  { tokens }: Pick<Context, 'tokens'>,
  { refreshToken, otherRefreshTokens }: PresentedTokens,
): Promise<{ userId: string; sessionId: string; token: string } | null> {
  for (const token of presentedTokens({ refreshToken, otherRefreshTokens })) {
    const claims = await tokens.verifyRefresh(token);
    if (claims) return { ...claims, token };
  }
  return null;
}

export const presentedTokens = ({ refreshToken, otherRefreshTokens }: PresentedTokens): string[] =>
  [refreshToken, ...(otherRefreshTokens ?? [])]
    .filter((token): token is string => Boolean(token))
    .slice(0, COOKIE_LIMIT);
