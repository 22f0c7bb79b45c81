import { AsyncLocalStorage } from 'node:async_hooks';

const deadlines = new AsyncLocalStorage<number>();

/** Runs something whose external calls together must end within so many milliseconds. */
export const withinTime = <Result>(ms: number, run: () => Result): Result => deadlines.run(performance.now() + ms, run);

/**
 * The milliseconds that another external call may take: what is left of the deadline, maybe 0, and at most the timeout of
 * one call.
 */
export function timeLeft(atMost: number): number {
  const deadline = deadlines.getStore();
  return deadline === undefined ? atMost : Math.max(0, Math.min(atMost, Math.floor(deadline - performance.now())));
}

/** Runs something that had to wait for its turn: the time for external calls is extended by the wait. */
export const notCounting = <Result>(waitedMs: number, run: () => Result): Result => {
  const deadline = deadlines.getStore();
  return deadline === undefined ? run() : deadlines.run(deadline + waitedMs, run);
};
