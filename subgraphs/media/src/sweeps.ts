import { setTimeout as sleep } from 'node:timers/promises';

import type { Log } from '@foyer/shared/telemetry/log';

/** What is done over and over while the house is open. */
interface Round {
  name: string;
  everyMs: number;
  work(): Promise<unknown>;
}

/** What a round is given to end in when the process stops: nodes that are away make it long, and the next one goes on. */
const LAST_ROUND_MS = 2_000;

/**
 * Begins to do the rounds, each by itself and never twice at once; one that fails is done again next time.
 * For what must happen within seconds, in every process: what has time is a job with a cron.
 */
export function openRounds(rounds: readonly Round[], log: Log) {
  const timers: NodeJS.Timeout[] = [];
  const running = new Set<Promise<void>>();

  function begin({ name, everyMs, work }: Round) {
    let busy = false;
    const turn = async () => {
      busy = true;
      await work().catch((error: unknown) => log.warn({ err: error, round: name }, 'a round failed'));
      busy = false;
    };
    timers.push(
      setInterval(() => {
        if (busy) return;
        const done = turn().finally(() => running.delete(done));
        running.add(done);
      }, everyMs).unref(),
    );
  }

  rounds.forEach(begin);
  return {
    async stop() {
      for (const timer of timers.splice(0)) clearInterval(timer);
      await Promise.race([Promise.all(running), sleep(LAST_ROUND_MS)]);
    },
  };
}
