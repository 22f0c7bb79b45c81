import { setTimeout as sleep } from 'node:timers/promises';

import type { IdentityDatabase } from '@foyer/prisma/identity';
import type { Clock } from '@foyer/shared/clock';
import { notCounting } from '@foyer/shared/graphql/deadline';

import { busy } from './refusals.ts';

/** What a dead process held is free again after that; a living one renews it in time. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
const WAIT_MS = 45_000;
const PAUSE_MS = 100;

/**
 * Runs one thing after the other for each subject, on all replicas, and holds neither a row nor a connection
 * meanwhile: for what asks somebody outside, who may take their time; waiting for one's turn takes none of it.
 *
 * @param subject what is worked on, such as `approval:<id>`
 * @throws {Refusal} `BUSY` when others are at it for too long
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

  /** When it fails, the next one may succeed in time. */
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
