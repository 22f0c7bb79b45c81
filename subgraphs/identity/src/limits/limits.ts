import { createHash } from 'node:crypto';

import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Clock } from '@foyer/shared/clock';

import { rateLimited } from './refusals.ts';

/** How often something may happen to one subject within a window that opens with the first time. */
export interface LimitRule {
  /** Names the rule in the store: a rule with the same name counts the same thing. */
  name: string;
  most: number;
  windowSeconds: number;
}

/** Whom a count concerns: one text, or several of which each narrows down the ones before, such as an identifier and a network. */
type Subject = string | readonly string[];

/** Of what waits for its turn: more than any household has in a hurry, and few enough to hold in memory. */
const LONGEST_QUEUE = 50;
const QUEUE_RETRY_SECONDS = 5;

/** One that was counted. */
interface Taken {
  /** Which one it is in this window, from 1. */
  number: number;
  /** It doesn't count after all. */
  giveBack(): Promise<void>;
  /** Nothing counts any more of what was counted against this subject. */
  forget(): Promise<void>;
}

/** Counts what must not happen too often; all replicas count together. */
export interface Limits {
  /**
   * Counts one, before it happens, so that of many at the same time no more get through than one after the other.
   *
   * @throws {Refusal} `RATE_LIMITED` with `retryAfter` when the rule allows no more
   */
  take(rule: LimitRule, subject: Subject): Promise<Taken>;
  /** Nothing counts any more of what was counted against a subject, also where it was narrowed down. @returns how many did */
  forget(rule: LimitRule, subject: Subject): Promise<number>;
  /** Counts one, and says whether the rule allows it, for callers who don't tell. */
  allows(rule: LimitRule, subject: Subject): Promise<boolean>;
  /**
   * Runs one thing after the other for each subject in this process, so that honest haste is not counted as failures.
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

/** Whom it concerns can't be read from the store. */
const bucketOf = ({ name }: LimitRule, subject: Subject) =>
  [name, ...[subject].flat().map((part) => createHash('sha256').update(part).digest('base64url'))].join(':');

async function secondsLeft({ db, clock }: Needs, bucket: string): Promise<number> {
  const limited = await db.rateLimit.findUnique({ where: { bucket } });
  const ms = (limited?.expiresAt.getTime() ?? 0) - clock.now().getTime();
  return Math.max(1, Math.ceil(ms / 1_000));
}
