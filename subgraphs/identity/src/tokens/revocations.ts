import { setTimeout as sleep } from 'node:timers/promises';

import type { StandingOf } from '@foyer/shared/auth/authentication';
import type { Log } from '@foyer/shared/telemetry/log';
import { revocationUnknown } from '@foyer/shared/auth/viewer';

import type { Revoked, TokenRecords } from './token-records.ts';

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
  records: Pick<TokenRecords, 'readRevoked' | 'watchRevoked'>;
  log: Log;
  onFailure: RevocationFail;
}

const MAX_AGE_MS = 5_000;
/**
 * An event causes another reading, but not sooner than this after the last one: a thousand logouts are not a thousand
 * readings.
 */
const MIN_AGE_MS = 200;
/** No request waits longer for records that are not answered. */
const TIMEOUT_MS = 2_000;

/** Reads all revocations at once: few are still relevant, and no request waits for its own. */
export function revocations(needs: Needs): Revocations {
  let known: Revoked = { blocks: new Map(), endedSessions: new Set() };
  let readAt = Number.NEGATIVE_INFINITY;
  let eventAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const stop = needs.records.watchRevoked(() => (eventAt = performance.now()));

  const isOld = () => {
    const age = performance.now() - readAt;
    return age > MAX_AGE_MS || (eventAt >= readAt && age > MIN_AGE_MS);
  };
  async function read() {
    const startedAt = performance.now();
    known = await needs.records.readRevoked();
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
    stop,
  };
}

async function timeout(): Promise<never> {
  await sleep(TIMEOUT_MS, undefined, { ref: false });
  throw new Error('no answer in time');
}
