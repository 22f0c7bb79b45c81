import { Prisma } from '@foyer/prisma/client';
import { deleteInBatches } from '@foyer/prisma/delete-in-batches';
import { defineJob, worker, type Worker } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';

/** Once an hour, at a minute when no other job runs. */
const sweepJob = defineJob({
  name: 'identity.sweep-expired',
  data: z.object({}),
  retries: 2,
  retryDelaySeconds: 60,
  expireSeconds: 3_000,
  cron: '17 * * * *',
});

const DAY_MS = 24 * 60 * 60 * 1_000;

type Needs = Pick<Services, 'db' | 'clock' | 'log' | 'tokens'>;

/**
 * Deletes expired rows. Links and codes stay for another day, so that people who come late are told so; session events
 * stay for clients that reconnect, and until the last token of an ended session has expired. Limits stay for another
 * minute: leases are among them, which last by the database's clock, and ours may be ahead.
 */
export async function sweepExpired({ db, clock, log, tokens }: Needs, signal?: AbortSignal): Promise<void> {
  const now = clock.now();
  const yesterday = new Date(now.getTime() - DAY_MS);
  const aMinuteAgo = new Date(now.getTime() - 60_000);
  const eventsUntil = new Date(now.getTime() - Math.max(DAY_MS, 2 * tokens.accessSeconds * 1_000));
  const isOver = (moment: Date) => Prisma.sql`expires_at <= ${moment}`;
  // One after the other: all at once would take every connection of the process.
  const swept: Record<string, number> = {};
  for (const [what, from, where] of [
    ['sessions', 'auth.refresh_sessions', isOver(now)],
    ['links', 'auth.magic_links', isOver(yesterday)],
    ['resets', 'auth.password_resets', isOver(yesterday)],
    ['codes', 'tenancy.email_verification_codes', isOver(yesterday)],
    ['limits', 'auth.rate_limits', isOver(aMinuteAgo)],
    ['blocks', 'auth.user_blocks', isOver(now)],
    ['news', 'auth.outbox', Prisma.sql`created_at < ${eventsUntil}`],
    ['removals', 'auth.provider_removals', Prisma.sql`removed_at <= ${yesterday}`],
  ] as const)
    swept[what] = await deleteInBatches(db, { from, where, signal });
  log.info(swept, 'expired rows swept');
}

export const sweepWorker = (needs: Needs): Worker =>
  worker(sweepJob, (_data, { signal }) => sweepExpired(needs, signal));
