import type { IdentityDatabase } from '@foyer/prisma/identity';
import { CLOCK_SKEW_SECONDS } from '@foyer/shared/auth/access-token';
import type { Staff } from '@foyer/shared/auth/viewer';
import type { Clock } from '@foyer/shared/clock';
import type { Events } from '@foyer/shared/events/events';
import type { Id } from '@foyer/shared/ids';

import { channels } from '../events/channels.ts';

/** Everything that revokes access tokens which have not expired. */
export interface Revoked {
  /** The time from which a user's tokens count, in whole seconds since 1970. */
  blocks: ReadonlyMap<string, number>;
  endedSessions: ReadonlySet<string>;
}

/** What the database knows of tokens, besides their signature. */
export interface TokenRecords {
  readRevoked(): Promise<Revoked>;
  /** Calls back whenever there may be more. @returns a function that ends it */
  watchRevoked(onChange: () => void): () => void;
  /** Whether a user has no disabled account here, and is a member of that organization, which is active. */
  isMember(person: Pick<Staff, 'userId' | 'organizationId'>): Promise<boolean>;
}

interface Needs {
  db: Pick<IdentityDatabase, 'userBlock' | 'organizationMember' | 'authUser' | '$queryRaw'>;
  events: Events;
  clock: Clock;
  /** The lifetime of access tokens. */
  accessSeconds: number;
}

/**
 * For how long a revocation is remembered, by the lifetime of access tokens: whoever verifies a token may have a slower
 * clock than whoever forgets the revocation.
 */
export const rememberedSeconds = (accessSeconds: number) => accessSeconds + CLOCK_SKEW_SECONDS;

/** Reads each answer from the database. */
export const tokenRecords = ({ db, events, clock, accessSeconds }: Needs): TokenRecords => ({
  async readRevoked() {
    const now = clock.now();
    const since = new Date(now.getTime() - rememberedSeconds(accessSeconds) * 1_000);
    const [blocks, ended] = await Promise.all([
      db.userBlock.findMany({ where: { expiresAt: { gt: now } } }),
      db.$queryRaw<{ sessionId: Id }[]>`
        SELECT payload ->> 'session_id' AS "sessionId" FROM auth.outbox
        WHERE topic = 'session_revoked' AND created_at >= ${since}`,
    ]);
    return {
      blocks: new Map(blocks.map(({ userId, notBefore }) => [userId, Math.floor(notBefore.getTime() / 1_000)])),
      endedSessions: new Set(ended.map(({ sessionId }) => sessionId)),
    };
  },
  watchRevoked(onChange) {
    const subscriptions = [channels.blocks, channels.sessions].map((channel) => events.subscribe(channel, onChange));
    return () => {
      for (const end of subscriptions) end();
    };
  },
  async isMember({ userId, organizationId }) {
    const [member, account] = await Promise.all([
      db.organizationMember.findFirst({ where: { userId, organizationId, organization: { status: 'active' } } }),
      db.authUser.findUnique({ where: { id: userId }, select: { accountState: true } }),
    ]);
    return member !== null && account?.accountState !== 'disabled';
  },
});
