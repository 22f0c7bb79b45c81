import { createHash } from 'node:crypto';

import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Clock } from '@foyer/shared/clock';
import { Refusal } from '@foyer/shared/errors';

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

type Wanted = readonly [rule: LimitRule, subject: Subject];

/** An attempt that several limits have counted. */
interface TakenTogether {
  numbers: readonly number[];
  /** Subtracts it from all again, or clears the counts of the first and subtracts it from the others. */
  giveBack(first?: 'clear the first'): Promise<void>;
}

/** Rate limits; all replicas share the counts. */
export interface Limits {
  /**
   * Counts an attempt before it happens, so that simultaneous attempts pass no more often than successive ones.
   *
   * @throws {Refusal} `RATE_LIMITED` with `retryAfter` when the rule allows no more
   */
  take(rule: LimitRule, subject: Subject): Promise<Taken>;
  /**
   * The same for several limits, in their order: an attempt that one refuses is counted by none.
   *
   * @returns their counts, in the same order
   */
  takeAll(wanted: readonly Wanted[]): Promise<TakenTogether>;
  /** Clears all counts of a subject, narrowed down or not. @returns how many attempts were counted */
  forget(rule: LimitRule, subject: Subject): Promise<number>;
  /** Counts an attempt, or returns null when the rule allows no more, for callers who do not report a refusal. */
  tryTake(rule: LimitRule, subject: Subject): Promise<Taken | null>;
  /**
   * Runs tasks of one subject one after the other in this process, so that an impatient user's repeated requests are
   * not counted as failures.
   *
   * @throws {Refusal} `RATE_LIMITED` when too many wait already
   */
  inTurn<Result>(subject: string, run: () => Promise<Result>): Promise<Result>;
}

interface Needs {
  db: Pick<IdentityDatabase, '$queryRaw' | '$executeRaw' | 'rateLimit'>;
  clock: Clock;
}

export function limits({ db, clock }: Needs): Limits {
  const settle = async (forgotten: string[], givenBack: string[]) =>
    void (await db.$executeRaw`SELECT auth.settle_attempts(${forgotten}::text[], ${givenBack}::text[])`);

  /** @throws {Refusal} `RATE_LIMITED` */
  async function count(wanted: readonly Wanted[], buckets: string[]): Promise<number[]> {
    const now = clock.now();
    const most = wanted.map(([rule]) => rule.most);
    const ends = wanted.map(([rule]) => new Date(now.getTime() + rule.windowSeconds * 1_000));
    const [taken] = await db.$queryRaw<{ numbers: number[] | null; refusedUntil: Date | null }[]>`
      SELECT numbers, refused_until AS "refusedUntil"
      FROM auth.take_attempts(${buckets}::text[], ${most}::int[], ${ends}::timestamptz[], ${now})`;
    if (taken?.numbers) return taken.numbers;
    // The statement may have waited for others, one of which has opened the window.
    const ms = (taken?.refusedUntil?.getTime() ?? 0) - clock.now().getTime();
    throw rateLimited(Math.max(1, Math.ceil(ms / 1_000)));
  }

  async function take(rule: LimitRule, subject: Subject): Promise<Taken> {
    const bucket = bucketOf(rule, subject);
    const [number = 1] = await count([[rule, subject]], [bucket]);
    return { number, giveBack: () => settle([], [bucket]), forget: () => settle([bucket], []) };
  }

  return {
    take,
    async takeAll(wanted) {
      const buckets = wanted.map(([rule, subject]) => bucketOf(rule, subject));
      const numbers = await count(wanted, buckets);
      const giveBack: TakenTogether['giveBack'] = (first) =>
        first ? settle(buckets.slice(0, 1), buckets.slice(1)) : settle([], buckets);
      return { numbers, giveBack };
    },
    async forget(rule, subject) {
      const bucket = bucketOf(rule, subject);
      const where = { OR: [{ bucket }, { bucket: { startsWith: `${bucket}:` } }], expiresAt: { gt: clock.now() } };
      const counted = await db.rateLimit.findMany({ where });
      await db.rateLimit.deleteMany({ where });
      return counted.reduce((sum, { failures }) => sum + failures, 0);
    },
    async tryTake(rule, subject) {
      try {
        return await take(rule, subject);
      } catch (error) {
        if (error instanceof Refusal) return null;
        throw error;
      }
    },
    inTurn: turns(),
  };
}

const uncounted: Taken = { number: 1, giveBack: () => Promise.resolve(), forget: () => Promise.resolve() };

/** `RATE_LIMITS=off`: for load tests. */
export const noLimits: Limits = {
  take: () => Promise.resolve(uncounted),
  takeAll: (wanted) => Promise.resolve({ numbers: wanted.map(() => 1), giveBack: () => Promise.resolve() }),
  forget: () => Promise.resolve(0),
  tryTake: () => Promise.resolve(uncounted),
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
