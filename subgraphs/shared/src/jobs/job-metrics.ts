import { setTimeout as sleep } from 'node:timers/promises';

import { Gauge, Histogram } from 'prom-client';

/** How an attempt ended: `failed` is retried, `dead` is not. */
type Outcome = 'done' | 'failed' | 'dead';

const runs = new Histogram({
  name: 'foyer_job_seconds',
  help: 'Time that one attempt of a job takes.',
  labelNames: ['job', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900],
});

export const countRun = (job: string, outcome: Outcome, ms: number): void => runs.observe({ job, outcome }, ms / 1_000);

/** The counts of a queue, as pg-boss last took them. */
interface Queue {
  name: string;
  readyCount: number;
  deferredCount: number;
  activeCount: number;
  failedCount: number;
}

const TIMEOUT_MS = 1_000;
const readers = new Set<() => Promise<readonly Queue[]>>();

// Every worker process reports the same counts, those of the one database: take their maximum in a query, not their sum.
const depths = new Gauge({
  name: 'foyer_jobs',
  help: 'Jobs of all processes by state: ready, deferred, active, or failed for good.',
  labelNames: ['job', 'state'],
  async collect() {
    for (const readQueues of readers) {
      // A database that is down or silent must not block the other metrics.
      const timeout = sleep(TIMEOUT_MS, [], { ref: false });
      for (const queue of await Promise.race([readQueues().catch(() => []), timeout])) report(queue);
    }
  },
});

function report({ name: job, readyCount, deferredCount, activeCount, failedCount }: Queue): void {
  depths.set({ job, state: 'ready' }, readyCount);
  depths.set({ job, state: 'deferred' }, deferredCount);
  depths.set({ job, state: 'active' }, activeCount);
  depths.set({ job, state: 'failed' }, failedCount);
}

/**
 * Reports the length of the queues whenever the metrics are read.
 *
 * @returns a function that ends this
 */
export function watchQueues(readQueues: () => Promise<readonly Queue[]>): () => void {
  readers.add(readQueues);
  return () => void readers.delete(readQueues);
}
