import { defineJob, worker, type Worker } from '@foyer/shared/jobs/job';
import { z } from 'zod';

import type { Services } from '../context.ts';

/** Once an hour, at a minute when no other job runs. */
const sweepJob = defineJob({
  name: 'identity.sweep-expired',
  data: z.object({}),
  retries: 2,
  retryDelaySeconds: 60,
  cron: '17 * * * *',
});

const DAY_MS = 24 * 60 * 60 * 1_000;

type Needs = Pick<Services, 'db' | 'clock' | 'log' | 'tokens'>;

/**
 * Deletes expired rows. Links and codes stay for another day, so that people who come late are told so; session events
 * stay for clients that reconnect, and until the last token of an ended session has expired. Limits stay for another
 * minute: leases are among them, which last by the database's clock, and ours may be ahead.
 */
export async function sweepExpired({ db, clock, log, tokens }: Needs): Promise<void> {
  const now = clock.now();
  const yesterday = new Date(now.getTime() - DAY_MS);
  const aMinuteAgo = new Date(now.getTime() - 60_000);
  const eventsUntil = new Date(now.getTime() - Math.max(DAY_MS, 2 * tokens.accessSeconds * 1_000));
  const [sessions, links, resets, codes, limits, blocks, events, removals] = await Promise.all([
    db.refreshSession.deleteMany({ where: { expiresAt: { lte: now } } }),
    db.magicLink.deleteMany({ where: { expiresAt: { lte: yesterday } } }),
    db.passwordReset.deleteMany({ where: { expiresAt: { lte: yesterday } } }),
    db.emailVerificationCode.deleteMany({ where: { expiresAt: { lte: yesterday } } }),
    db.rateLimit.deleteMany({ where: { expiresAt: { lte: aMinuteAgo } } }),
    db.userBlock.deleteMany({ where: { expiresAt: { lte: now } } }),
    db.authOutbox.deleteMany({ where: { createdAt: { lt: eventsUntil } } }),
    db.providerRemoval.deleteMany({ where: { removedAt: { lte: yesterday } } }),
  ]);
  const swept = { sessions, links, resets, codes, limits, blocks, news: events, removals };
  log.info(Object.fromEntries(Object.entries(swept).map(([what, { count }]) => [what, count])), 'expired rows swept');
}

export const sweepWorker = (needs: Needs): Worker => worker(sweepJob, () => sweepExpired(needs));
