import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Of this share of its time the event loop may be busy; above it, requests wait for each other. */
const BUSY = 0.5;
/** Long enough to hold several turns of a busy event loop. */
const WINDOW_MS = 100;
/** So long a job waits at most: a backlog still shrinks while the process is busy. */
const MOST_MS = 500;
/** A job that begins so soon after another is one of a backlog. */
const BACKLOG_MS = 200;

/**
 * Leaves the time of a busy process to requests: each job of a backlog waits while the event loop is busy, half a second at
 * most. A job that follows no other runs at once.
 *
 * @returns a function that runs a job so
 */
export function leavingTime() {
  let endedAt = -Infinity;
  let before = performance.eventLoopUtilization();

  async function wait() {
    const deadline = performance.now() + MOST_MS;
    while (performance.eventLoopUtilization(before).utilization > BUSY && performance.now() < deadline) {
      before = performance.eventLoopUtilization();
      await sleep(WINDOW_MS);
    }
  }

  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (performance.now() - endedAt < BACKLOG_MS) await wait();
    try {
      return await run();
    } finally {
      endedAt = performance.now();
      before = performance.eventLoopUtilization();
    }
  };
}
