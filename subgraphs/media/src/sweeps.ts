import { setTimeout as sleep } from 'node:timers/promises';

import type { Log } from '@foyer/shared/telemetry/log';

/** A periodic job of every process. */
export interface Sweep {
  name: string;
  everyMs: number;
  work(): Promise<unknown>;
}

/** How long running sweeps may take to end when the process stops; nodes that don't answer can make them long. */
const STOP_TIMEOUT_MS = 2_000;

/**
 * Starts the sweeps. Each has its own timer and never runs twice at once; one that fails runs again at its next turn.
 * They are for what must happen within seconds in every process; what can wait is a job with a cron.
 */
export function startSweeps(sweeps: readonly Sweep[], log: Log) {
  const timers: NodeJS.Timeout[] = [];
  const running = new Set<Promise<void>>();

  function start({ name, everyMs, work }: Sweep) {
    let busy = false;
    const run = async () => {
      busy = true;
      await work().catch((error: unknown) => log.warn({ err: error, sweep: name }, 'a sweep failed'));
      busy = false;
    };
    timers.push(
      setInterval(() => {
        if (busy) return;
        const done = run().finally(() => running.delete(done));
        running.add(done);
      }, everyMs).unref(),
    );
  }

  sweeps.forEach(start);
  return {
    async stop() {
      for (const timer of timers.splice(0)) clearInterval(timer);
      await Promise.race([Promise.all(running), sleep(STOP_TIMEOUT_MS)]);
    },
  };
}
