import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

interface KeepRunning {
  /** What runs, in reports. */
  name: string;
  /** Starts the process, and settles when it is ready. */
  start(): Promise<ChildProcess>;
  /** How it is told to end. */
  endBy: NodeJS.Signals;
  /** Called once for each end that nobody wanted, and for each start that failed after it. */
  report(sentence: string): void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A process that ran this long ended for a new reason: the next pause is short again. */
const STEADY_MS = 30_000;

/**
 * Starts a process, and starts it again whenever it ends by itself: after a pause that doubles up to five seconds, for as
 * long as it takes.
 *
 * @throws when the first start fails
 */
export async function keepRunning({ name, start, endBy, report }: KeepRunning): Promise<{ stop(): Promise<void> }> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let child = await start();
  let failures = 0;

  async function restarted(): Promise<ChildProcess | undefined> {
    for (;;) {
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
      failures += 1;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return undefined;
      try {
        return await start();
      } catch (error) {
        report(`${name} does not start and is tried again: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  async function keep() {
    for (;;) {
      const startedAt = performance.now();
      if (signal.aborted) child.kill(endBy); // it was told to stop while it started
      const how = await endOf(child);
      if (signal.aborted) return;
      report(`${name} ended by itself (${how}) and is started again`);
      if (performance.now() - startedAt > STEADY_MS) failures = 0;
      const next = await restarted();
      if (!next) return;
      child = next;
    }
  }
  const done = keep();

  return {
    async stop() {
      stopping.abort();
      child.kill(endBy);
      await done;
    },
  };
}

/** Whether a process has ended. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Waits until a process has ended; returns its signal or exit code. */
async function endOf(child: ChildProcess): Promise<string> {
  if (!hasEnded(child)) await once(child, 'exit');
  return child.signalCode ?? `exit code ${child.exitCode}`;
}
