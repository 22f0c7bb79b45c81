import type { PgBoss } from 'pg-boss';

import type { Job } from './job.ts';

/**
 * Creates or updates the queues and schedules of these jobs. It writes only those that differ: at a start nearly all are
 * up to date, and each write takes a lock that all queues share.
 *
 * @param heartbeatSeconds how long a worker may be silent before its job is taken over
 */
export async function makeQueues(boss: PgBoss, jobs: readonly Job<never>[], heartbeatSeconds: number): Promise<void> {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const crons = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
  for (const job of jobs) {
    const options = optionsOf(job, heartbeatSeconds);
    const found = queues.get(job.name);
    if (!found) await boss.createQueue(job.name, options);
    else if (!matches(found, options)) await boss.updateQueue(job.name, options);
    if (job.cron && job.cron !== crons.get(job.name)) await boss.schedule(job.name, job.cron);
  }
}

/** pg-boss deletes what nobody took for so long, without a word; by itself after two weeks. */
const WAITS_SECONDS = 10 * 365 * 86_400;

const optionsOf = (job: Job<never>, heartbeatSeconds: number) => ({
  retryLimit: job.retries,
  retryDelay: job.retryDelaySeconds,
  retryBackoff: true,
  ...(job.retryDelayMaxSeconds && { retryDelayMax: job.retryDelayMaxSeconds }),
  expireInSeconds: job.expireSeconds ?? 120,
  heartbeatSeconds,
  // A turn that was missed is not made up for: the next one does its work.
  ...(!job.cron && { retentionSeconds: WAITS_SECONDS }),
  notify: true,
});

const matches = (found: object, wanted: object): boolean =>
  Object.entries(wanted).every(([name, value]) => (found as Record<string, unknown>)[name] === value);
