import { setTimeout as sleep } from 'node:timers/promises';

import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Clock } from '@foyer/shared/clock';
import { notCounting } from '@foyer/shared/graphql/deadline';

import { busy } from './refusals.ts';

/** A lease of a dead process ends after this time; a living one renews it in time. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
const WAIT_MS = 45_000;
const PAUSE_MS = 100;

/**
 * Runs tasks of one subject one after the other, across all replicas, without holding a row lock or a connection: for
 * tasks that wait for a slow external service. Waiting for the lease does not count against the request's deadline.
 *
 * A lease is a row of `auth.rate_limits`: that table has what a lease needs (one row per name, an expiry, the hourly
 * deletion of expired rows). Its column `failures` means nothing for a lease and is always 1.
 *
 * @param subject what is worked on, such as `approval:<id>`
 * @throws {Refusal} `BUSY` when others hold the lease for too long
 */
export async function withLease<Result>(
  { db, clock }: { db: Pick<IdentityDatabase, 'rateLimit' | '$executeRaw'>; clock: Clock },
  subject: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const bucket = `lease:${subject}`;
  const waitingSince = performance.now();
  const started = clock.now().getTime();
  let since = await take();
  while (!since) {
    if (clock.now().getTime() - started > WAIT_MS) throw busy();
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
    const expiresAt = new Date(clock.now().getTime() + LEASE_MS);
    await db.rateLimit.updateMany({ where: held, data: { expiresAt } });
  }

  async function take(): Promise<Date | null> {
    const now = clock.now();
    const end = new Date(now.getTime() + LEASE_MS);
    const taken = await db.$executeRaw`
      INSERT INTO auth.rate_limits AS l (bucket, failures, window_started_at, expires_at)
      VALUES (${bucket}, 1, ${now}, ${end})
      ON CONFLICT (bucket) DO UPDATE SET window_started_at = ${now}, expires_at = ${end}
      WHERE l.expires_at <= ${now}`;
    return taken > 0 ? now : null;
  }
}
