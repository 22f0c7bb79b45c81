import type { PgBoss } from 'pg-boss';

import type { Job, Watchfulness } from './jobs.ts';

/**
 * Creates or updates the queues and schedules of these jobs. Those that are up to date are not written: a start finds
 * nearly all of them unchanged, and each write would take a lock that all queues share.
 */
export async function makeQueues(boss: PgBoss, jobs: readonly Job<never>[], watchfulness: Watchfulness): Promise<void> {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const crons = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
  for (const job of jobs) {
    const options = optionsOf(job, watchfulness);
    const found = queues.get(job.name);
    if (!found) await boss.createQueue(job.name, options);
    else if (!says(found, options)) await boss.updateQueue(job.name, options);
    if (job.cron && job.cron !== crons.get(job.name)) await boss.schedule(job.name, job.cron);
  }
}

const optionsOf = (job: Job<never>, { heartbeatSeconds }: Watchfulness) => ({
  retryLimit: job.retries,
  retryDelay: job.retryDelaySeconds,
  retryBackoff: true,
  ...(job.retryDelayMaxSeconds && { retryDelayMax: job.retryDelayMaxSeconds }),
  expireInSeconds: job.expireSeconds ?? 120,
  heartbeatSeconds,
  notify: true,
});

const says = (found: object, wanted: object): boolean =>
  Object.entries(wanted).every(([name, value]) => (found as Record<string, unknown>)[name] === value);
