/** How long an outcome is reported again. A store that is back is noticed sooner than one that has gone. */
const PASSED_MS = 5_000;
const FAILED_MS = 1_000;

/**
 * Runs a check at most once in some seconds, however often it is called: calls in between share its outcome.
 *
 * @param now in milliseconds
 */
export function rarely(check: () => Promise<void>, now: () => number = () => performance.now()): () => Promise<void> {
  let last: Promise<void> | undefined;
  let repeatAt = 0;
  return () => {
    if (last && now() < repeatAt) return last;
    const running = check();
    const keepFor = (ms: number) => {
      repeatAt = now() + ms;
    };
    last = running;
    repeatAt = Infinity; // until it has ended
    running.then(
      () => keepFor(PASSED_MS),
      () => keepFor(FAILED_MS),
    );
    return running;
  };
}
