import { AsyncLocalStorage } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<number>();

/** Runs something that is to be answered within so many milliseconds, whatever it waits for, and how often. */
export const withinTime = <Result>(ms: number, run: () => Result): Result => deadlines.run(performance.now() + ms, run);

/**
 * Milliseconds that one more call outside may take: what is left for all that is being answered here, which may be
 * nothing, and at most what one call may take anyway.
 */
export function timeLeft(atMost: number): number {
  const deadline = deadlines.getStore();
  return deadline === undefined ? atMost : Math.max(0, Math.min(atMost, Math.floor(deadline - performance.now())));
}

/** Runs something that had to wait for its turn so long: the time for calls outside begins after it. */
export const notCounting = <Result>(waitedMs: number, run: () => Result): Result => {
  const deadline = deadlines.getStore();
  return deadline === undefined ? run() : deadlines.run(deadline + waitedMs, run);
};
