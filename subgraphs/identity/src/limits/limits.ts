import { createHash } from 'node:crypto';

import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Clock } from '@foyer/shared/clock';

import { rateLimited } from './refusals.ts';

/** How often something may happen to one subject within a window, which opens with the first time. */
export interface LimitRule {
  /** The name of the rule in the store: rules of the same name share their counts. */
  name: string;
  most: number;
  windowSeconds: number;
}

/**
 * What a count belongs to: one text, or several that each narrow down the previous ones, such as an identifier and a
 * network.
 */
type Subject = string | readonly string[];

/** The most tasks that may wait for one subject: more than a household needs, and few enough to keep in memory. */
const LONGEST_QUEUE = 50;
const QUEUE_RETRY_SECONDS = 5;

/** A counted attempt. */
interface Taken {
  /** Its number in this window, from 1. */
  number: number;
  /** Subtracts the attempt again. */
  giveBack(): Promise<void>;
  /** Clears all counts of this subject. */
  forget(): Promise<void>;
}

/** Rate limits; all replicas share the counts. */
export interface Limits {
  /**
   * Counts an attempt before it happens, so that simultaneous attempts pass no more often than successive ones.
   *
   * @throws {Refusal} `RATE_LIMITED` with `retryAfter` when the rule allows no more
   */
  take(rule: LimitRule, subject: Subject): Promise<Taken>;
  /** Clears all counts of a subject, narrowed down or not. @returns how many attempts were counted */
  forget(rule: LimitRule, subject: Subject): Promise<number>;
  /** Counts an attempt and tells whether the rule allows it, for callers who do not report a refusal. */
  allows(rule: LimitRule, subject: Subject): Promise<boolean>;
  /**
   * Runs tasks of one subject one after the other in this process, so that an impatient user's repeated requests are
   * not counted as failures.
   *
   * @throws {Refusal} `RATE_LIMITED` when too many wait already
   */
  inTurn<Result>(subject: string, run: () => Promise<Result>): Promise<Result>;
}

interface Needs {
  db: Pick<IdentityDatabase, '$queryRaw' | 'rateLimit'>;
  clock: Clock;
}

export function limits({ db, clock }: Needs): Limits {
  /** @returns null when the rule allows no more */
  async function count({ most, windowSeconds }: LimitRule, bucket: string): Promise<number | null> {
    const now = clock.now();
    const end = new Date(now.getTime() + windowSeconds * 1_000);
    const [row] = await db.$queryRaw<{ failures: number }[]>`
      INSERT INTO auth.rate_limits AS l (bucket, failures, window_started_at, expires_at)
      VALUES (${bucket}, 1, ${now}, ${end})
      ON CONFLICT (bucket) DO UPDATE SET
        failures = CASE WHEN l.expires_at <= ${now} THEN 1 ELSE l.failures + 1 END,
        window_started_at = CASE WHEN l.expires_at <= ${now} THEN ${now} ELSE l.window_started_at END,
        expires_at = CASE WHEN l.expires_at <= ${now} THEN ${end} ELSE l.expires_at END
      WHERE l.expires_at <= ${now} OR l.failures < ${most}
      RETURNING failures`;
    return row?.failures ?? null;
  }

  return {
    async take(rule, subject) {
      const bucket = bucketOf(rule, subject);
      const number = await count(rule, bucket);
      if (number === null) throw rateLimited(await secondsLeft({ db, clock }, bucket));
      return {
        number,
        async giveBack() {
          await db.rateLimit.updateMany({
            where: { bucket, failures: { gt: 0 } },
            data: { failures: { decrement: 1 } },
          });
        },
        async forget() {
          await db.rateLimit.deleteMany({ where: { bucket } });
        },
      };
    },
    async forget(rule, subject) {
      const bucket = bucketOf(rule, subject);
      const where = { OR: [{ bucket }, { bucket: { startsWith: `${bucket}:` } }], expiresAt: { gt: clock.now() } };
      const counted = await db.rateLimit.findMany({ where });
      await db.rateLimit.deleteMany({ where });
      return counted.reduce((sum, { failures }) => sum + failures, 0);
    },
    allows: async (rule, subject) => (await count(rule, bucketOf(rule, subject))) !== null,
    inTurn: turns(),
  };
}

/** `RATE_LIMITS=off`: for load tests. */
export const noLimits: Limits = {
  take: () => Promise.resolve({ number: 1, giveBack: () => Promise.resolve(), forget: () => Promise.resolve() }),
  forget: () => Promise.resolve(0),
  allows: () => Promise.resolve(true),
  inTurn: (_subject, run) => run(),
};

function turns(): Limits['inTurn'] {
  const queues = new Map<string, { last: Promise<unknown>; length: number }>();
  return (subject, run) => {
    const queue = queues.get(subject) ?? { last: Promise.resolve(), length: 0 };
    if (queue.length >= LONGEST_QUEUE) return Promise.reject(rateLimited(QUEUE_RETRY_SECONDS));
    const turn = queue.last.then(run, run);
    queue.last = turn;
    queue.length += 1;
    queues.set(subject, queue);
    const leave = () => void ((queue.length -= 1) === 0 && queues.delete(subject));
    turn.then(leave, leave);
    return turn;
  };
}

/** Hashed, so that the store does not reveal the subject. */
const bucketOf = ({ name }: LimitRule, subject: Subject) =>
  [name, ...[subject].flat().map((part) => createHash('sha256').update(part).digest('base64url'))].join(':');

async function secondsLeft({ db, clock }: Needs, bucket: string): Promise<number> {
  const limited = await db.rateLimit.findUnique({ where: { bucket } });
  const ms = (limited?.expiresAt.getTime() ?? 0) - clock.now().getTime();
  return Math.max(1, Math.ceil(ms / 1_000));
}
