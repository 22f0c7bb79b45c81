/** The state of a presented refresh token in its session. */
export type Verdict = 'current' | 'rotated' | 'reused' | 'expired';

/** How long the previous token may still arrive because of an honest race. */
const RACE_WINDOW_MS = 10_000;

/** The family of refresh tokens of a session. */
export interface Family {
  tokenHash: Uint8Array;
  prevHash: Uint8Array | null;
  rotatedAt: Date | null;
  expiresAt: Date;
}

/**
 * Judges a refresh token with a valid signature and a live session.
 *
 * `rotated` is the loser of a race: the previous token, at most ten seconds after it was exchanged. Any other token of
 * this family was used before: `reused`.
 */
export function judge(session: Family, presented: Uint8Array, now: Date): Verdict {
  if (equal(session.tokenHash, presented)) return session.expiresAt <= now ? 'expired' : 'current';
  const racing = session.rotatedAt && now.getTime() - session.rotatedAt.getTime() <= RACE_WINDOW_MS;
  return racing && session.prevHash && equal(session.prevHash, presented) ? 'rotated' : 'reused';
}

const equal = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;
