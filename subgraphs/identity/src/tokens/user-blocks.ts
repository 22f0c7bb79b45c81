import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Clock } from '@foyer/shared/clock';
import type { Log } from '@foyer/shared/log';
import { revocationUnknown } from './refusals.ts';

/** From when on the access tokens of each user count. */
export interface UserBlocks {
  /**
   * Whole seconds since 1970; 0 for always. At most five seconds out of date.
   *
   * @throws {Refusal} `REVOCATION_UNKNOWN` when it can't be known and the house is set to fail closed
   */
  notBefore(userId: string): Promise<number>;
}

interface Needs {
  db: IdentityDatabase;
  clock: Clock;
  log: Log;
  /** What to do when the block times can't be read: believe the last ones known, or nobody. */
  onFailure: 'open' | 'closed';
}

const MAX_AGE_MS = 5_000;

/** Reads all live block times at once: there are few, and no request waits for its own. */
export function userBlocks({ db, clock, log, onFailure }: Needs): UserBlocks {
  let blocks: ReadonlyMap<string, number> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read() {
    const startedAt = performance.now();
    const live = await db.userBlock.findMany({ where: { expiresAt: { gt: clock.now() } } });
    blocks = new Map(live.map(({ userId, notBefore }) => [userId, Math.floor(notBefore.getTime() / 1_000)]));
    readAt = startedAt;
  }

  return {
    async notBefore(userId) {
      if (performance.now() - readAt > MAX_AGE_MS) {
        reading ??= read().finally(() => (reading = undefined));
        try {
          await reading;
        } catch (error) {
          log.error({ err: error, onFailure }, 'block times can not be read');
          if (onFailure === 'closed') throw revocationUnknown();
        }
      }
      return blocks.get(userId) ?? 0;
    },
  };
}
