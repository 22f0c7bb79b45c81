import { setTimeout as sleep } from 'node:timers/promises';

import type { IdentityDatabase } from '@foyer/prisma/identity';
import { notCounting } from '@foyer/shared/graphql/deadline';

import { busy } from './refusals.ts';

/** A lease of a dead process ends after this time; a living one renews it in time. */
const LEASE_SECONDS = 10;
const RENEW_MS = 3_000;
const WAIT_MS = 45_000;
const PAUSE_MS = 100;

/**
 * Runs tasks of one subject one after the other, across all replicas, without holding a row lock or a connection: for
 * tasks that wait for a slow external service. Waiting for the lease does not count against the request's deadline.
 *
 * A lease is a row of `auth.rate_limits`: that table has what a lease needs (one row per name, an expiry, the hourly
 * deletion of expired rows). Its column `failures` means nothing for a lease and is always 1. The times are the database's:
 * a replica whose clock is ahead would take a lease that another holds.
 *
 * @param subject what is worked on, such as `approval:<id>`
 * @throws {Refusal} `BUSY` when others hold the lease for too long
 */
export async function withLease<Result>(
  { db }: { db: Pick<IdentityDatabase, 'rateLimit' | '$queryRaw' | '$executeRaw'> },
  subject: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const bucket = `lease:${subject}`;
  const waitingSince = performance.now();
  let since = await take();
  while (!since) {
    if (performance.now() - waitingSince > WAIT_MS) throw busy();
    await sleep(PAUSE_MS);
    since = await take();
  }
  const held = { bucket, windowStartedAt: since };
  const renewing = setInterval(() => void renew().catch(() => undefined), RENEW_MS).unref();
  try {
    return await notCounting(performance.now() - waitingSince, run);
  } finally {
    clearInterval(renewing);
    await db.rateLimit.deleteMany({ where: held });
  }

  /** If a renewal fails, the next one may still come in time. */
  async function renew(): Promise<void> {
    await db.$executeRaw`
      UPDATE auth.rate_limits SET expires_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      WHERE bucket = ${bucket} AND window_started_at = ${held.windowStartedAt}`;
  }

  async function take(): Promise<Date | null> {
    const [taken] = await db.$queryRaw<{ since: Date }[]>`
      INSERT INTO auth.rate_limits AS l (bucket, failures, window_started_at, expires_at)
      VALUES (${bucket}, 1, clock_timestamp(), clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))
      ON CONFLICT (bucket) DO UPDATE
        SET window_started_at = clock_timestamp(), expires_at = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
      WHERE l.expires_at <= clock_timestamp()
      RETURNING window_started_at AS since`;
    return taken?.since ?? null;
  }
}
