import { setTimeout as sleep } from 'node:timers/promises';

import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { StandingOf } from '@foyer/shared/auth/authentication';
import type { Clock } from '@foyer/shared/clock';
import type { Id } from '@foyer/shared/ids';
import type { Log } from '@foyer/shared/telemetry/log';
import type { Events } from '@foyer/shared/events/events';
import { revocationUnknown } from '@foyer/shared/auth/viewer';

import { channels } from '../events/channels.ts';

/** How to treat requests while revocations can't be read: `open` trusts what was last known. */
export interface RevocationFail {
  reads: 'open' | 'closed';
  writes: 'open' | 'closed';
}

/** Tells which unexpired access tokens were revoked. */
export interface Revocations {
  /**
   * By the user's block time, and by the session's end. At most five seconds out of date.
   *
   * @throws {Refusal} `REVOCATION_UNKNOWN` when it can't be known and the server is set to fail closed
   */
  standingOf: StandingOf;
  stop(): void;
}

interface Needs {
  db: IdentityDatabase;
  clock: Clock;
  log: Log;
  events: Events;
  accessSeconds: number;
  onFailure: RevocationFail;
}

interface Known {
  /** The time from which a user's tokens count, in whole seconds since 1970. */
  blocks: ReadonlyMap<string, number>;
  endedSessions: ReadonlySet<string>;
}

const MAX_AGE_MS = 5_000;
/**
 * An event causes another reading, but not sooner than this after the last one: a thousand logouts are not a thousand
 * readings.
 */
const MIN_AGE_MS = 200;
/** No request waits longer for a database that does not answer. */
const TIMEOUT_MS = 2_000;

/** Reads all revocations at once: few are still relevant, and no request waits for its own. */
export function revocations(needs: Needs): Revocations {
  let known: Known = { blocks: new Map(), endedSessions: new Set() };
  let readAt = Number.NEGATIVE_INFINITY;
  let eventAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const onEvent = () => (eventAt = performance.now());
  const subscriptions = [
    needs.events.subscribe(channels.blocks, onEvent),
    needs.events.subscribe(channels.sessions, onEvent),
  ];

  const isOld = () => {
    const age = performance.now() - readAt;
    return age > MAX_AGE_MS || (eventAt >= readAt && age > MIN_AGE_MS);
  };
  async function read() {
    const startedAt = performance.now();
    known = await readKnown(needs);
    readAt = startedAt;
  }
  async function isKnown(): Promise<boolean> {
    if (!isOld()) return true;
    reading ??= read().finally(() => (reading = undefined));
    try {
      await Promise.race([reading, timeout()]);
      return true;
    } catch (error) {
      needs.log.error({ err: error, onFailure: needs.onFailure }, 'revocations could not be read');
      return false;
    }
  }

  return {
    async standingOf({ userId, sessionId, issuedAt }) {
      const sure = await isKnown();
      if (issuedAt < (known.blocks.get(userId) ?? 0) || known.endedSessions.has(sessionId)) return 'revoked';
      if (sure) return 'good';
      if (needs.onFailure.reads === 'closed') throw revocationUnknown();
      return needs.onFailure.writes === 'closed' ? 'unknown' : 'good';
    },
    stop() {
      for (const end of subscriptions) end();
    },
  };
}

async function readKnown({ db, clock, accessSeconds }: Needs): Promise<Known> {
  const now = clock.now();
  const since = new Date(now.getTime() - accessSeconds * 1_000);
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
}

async function timeout(): Promise<never> {
  await sleep(TIMEOUT_MS, undefined, { ref: false });
  throw new Error('no answer in time');
}
